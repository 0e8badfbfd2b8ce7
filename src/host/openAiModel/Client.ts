/**
 * The client that speaks Chat Completions with an endpoint, in its own words and ours.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { Redacted } from "effect"
import type { Options } from "./Options.ts"

export type Client = ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>
export type Call = Parameters<Client["doGenerate"]>[0]
export type Answer = Awaited<ReturnType<Client["doGenerate"]>>
export type StreamPart =
  Awaited<ReturnType<Client["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never

/** A redirect is an error to be told of: following it would turn the request into another one. */
const fetchHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: "manual" })

export const make = ({ url, model, key }: Options): Client =>
  createOpenAICompatible({
    name: "openai",
    baseURL: url,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: fetchHere,
    ...(key === undefined ? {} : { apiKey: Redacted.value(key) })
  }).chatModel(model)
