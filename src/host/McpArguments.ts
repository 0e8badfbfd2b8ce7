/**
 * Arguments of any shape on their way into the library, which answers some by a protocol error, before a tool can say what
 * is wrong with them. The tools judge what is no object as they judge an empty one, and a number that is too large for
 * JavaScript (1e400) as they judge null, and so that is what they get.
 */
import { Predicate } from "effect"

/** What a text with such a number has somewhere; so may others, which lose nothing. */
const HUGE = /e\+?\d{3}|\d{309}/iu

const isCall = (message: any): boolean =>
  message?.method === "tools/call" && Predicate.isObject(message.params) && "arguments" in message.params

const isOdd = (message: any): boolean => isCall(message) && !Predicate.isObject(message.params.arguments)

const asObject = (message: any): unknown =>
  isOdd(message) ? { ...message, params: { ...message.params, arguments: {} } } : message

/** The text of a message, or of several, that the library hands on to the tools; any other text as it is. */
export const readable = (text: string): string => {
  try {
    const json: unknown = JSON.parse(text)
    const messages = [json].flat()
    if (!messages.some(HUGE.test(text) ? isCall : isOdd)) return text
    return JSON.stringify(Array.isArray(json) ? messages.map(asObject) : asObject(json))
  } catch {
    return text
  }
}
