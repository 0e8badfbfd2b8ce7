/**
 * What the model asks when a request leaves something open. It finds its own questions in the conversation by their
 * text, so as to know what an answer is about.
 */

const QUESTIONS = {
  when: "When should I remind you? For example: in 10 minutes, tomorrow at 9, every weekday at 18:00.",
  time: "At what time of day?",
  what: "What should I remind you of?",
  zone: "Which time zone do you mean? Please give its IANA name, such as Asia/Shanghai or Europe/Paris.",
  which: "Which one should I delete? Please give its id."
} as const

export type Question = keyof typeof QUESTIONS

/** The question as it is asked: a paragraph of its own. */
export const text = (question: Question): string => QUESTIONS[question]

/** The paragraphs of an answer. */
export const PARAGRAPH = "\n\n"

/** The questions that an answer of the model ended in. */
export const asked = (answer: string): ReadonlySet<Question> => {
  const paragraphs = new Set(answer.split(PARAGRAPH))
  return new Set((Object.keys(QUESTIONS) as Array<Question>).filter((question) => paragraphs.has(QUESTIONS[question])))
}
