/** Answers of Chat Completions in the shapes that OpenAI, Ollama and vLLM give them. */

/** A call that an answer makes; `arguments` as the text that stands on the wire. */
export interface Call {
  readonly id?: string
  readonly name: string
  readonly arguments: string
}

const toolCalls = (calls: ReadonlyArray<Call>) =>
  calls.map(({ id, ...fn }, index) => ({ ...(id === undefined ? {} : { id }), index, type: "function", function: fn }))

const usage = { prompt_tokens: 377, completion_tokens: 17, total_tokens: 394 }

export const openAi = (message: Record<string, unknown>, finish_reason = "stop") => ({
  id: "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  object: "chat.completion",
  created: 1_741_569_952,
  model: "gpt-5.1-2025-11-13",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: null, refusal: null, annotations: [], ...message },
      logprobs: null,
      finish_reason
    }
  ],
  usage: {
    ...usage,
    prompt_tokens_details: { cached_tokens: 128, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 4, audio_tokens: 0, accepted_prediction_tokens: 0 }
  },
  service_tier: "default",
  system_fingerprint: null
})

export const says = (content: string) => openAi({ content })

export const calls = (...made: ReadonlyArray<Call>) => openAi({ tool_calls: toolCalls(made) }, "tool_calls")

export const ollama = (content: string, ...made: ReadonlyArray<Call>) => ({
  id: "chatcmpl-211",
  object: "chat.completion",
  created: 1_731_063_537,
  model: "qwen3:8b",
  system_fingerprint: "fp_ollama",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content,
        reasoning: "Okay, the user wants to be reminded.",
        ...(made.length === 0 ? {} : { tool_calls: toolCalls(made) })
      },
      finish_reason: made.length === 0 ? "stop" : "tool_calls"
    }
  ],
  usage
})

export const vllm = (content: string | null, ...made: ReadonlyArray<Call>) => ({
  id: "chatcmpl-d9fca4df01b2481a959c319d20805d46",
  object: "chat.completion",
  created: 1_755_671_294,
  model: "Qwen/Qwen3-8B",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content,
        refusal: null,
        annotations: null,
        audio: null,
        function_call: null,
        tool_calls: toolCalls(made),
        reasoning: null,
        reasoning_content: null
      },
      logprobs: null,
      finish_reason: made.length === 0 ? "stop" : "tool_calls",
      stop_reason: null,
      token_ids: null
    }
  ],
  service_tier: null,
  system_fingerprint: null,
  usage: { ...usage, prompt_tokens_details: null },
  prompt_logprobs: null,
  prompt_token_ids: null,
  kv_transfer_params: null
})

/** One event of a streamed answer. */
export const chunk = (delta: Record<string, unknown>, finish_reason: string | null = null) => ({
  id: "chatcmpl-140",
  object: "chat.completion.chunk",
  created: 1_741_569_952,
  model: "qwen3:8b",
  system_fingerprint: "fp_ollama",
  choices: [{ index: 0, delta, finish_reason }]
})

/** What an error of the endpoint says. */
export const error = (message: string, type: string, code: string | number | null = null) => ({
  error: { message, type, param: null, code }
})
