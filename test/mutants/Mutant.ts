/** A deliberate fault: one place of the source, written wrongly, and the tests that must notice. */
export interface Mutant {
  /** What is wrong, in words. */
  readonly fault: string
  /** The file under `src`. */
  readonly file: string
  /** The text, which stands there exactly once. */
  readonly find: string
  readonly replace: string
  /** The test files that are run; one of them must fail. */
  readonly tests: ReadonlyArray<string>
}
