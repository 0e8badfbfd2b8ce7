/**
 * Targets of reminders, the earliest first: a leftist heap, persistent, so that evolving a log leaves the old one whole.
 *
 * An entry is not taken out when its reminder ends or moves on; who looks passes it over.
 * Source: C. Okasaki, Purely Functional Data Structures, 3.1.
 */
import type { Instant } from "./Instant.ts"
import type { ScheduleId } from "./ScheduleRecord.ts"

/** The target that a reminder had when it was added. */
export interface Target {
  readonly id: ScheduleId
  readonly at: Instant
}

interface Node extends Target {
  /** The length of the path along the right children, which is never longer than that along the left ones. */
  readonly rank: number
  readonly left: Node | null
  readonly right: Node | null
}

export interface TargetHeap {
  readonly root: Node | null
  readonly size: number
}

export const empty: TargetHeap = { root: null, size: 0 }

const rankOf = (node: Node | null): number => node?.rank ?? 0

const join = ({ id, at }: Target, a: Node | null, b: Node | null): Node =>
  rankOf(a) >= rankOf(b)
    ? { id, at, rank: rankOf(b) + 1, left: a, right: b }
    : { id, at, rank: rankOf(a) + 1, left: b, right: a }

const merge = (a: Node | null, b: Node | null): Node | null => {
  if (a === null) return b
  if (b === null) return a
  return b.at < a.at ? join(b, b.left, merge(a, b.right)) : join(a, a.left, merge(a.right, b))
}

/** The heap with one more target. */
export const add = ({ root, size }: TargetHeap, { id, at }: Target): TargetHeap => ({
  root: merge(root, { id, at, rank: 1, left: null, right: null }),
  size: size + 1
})

/** The heap without its earliest targets, as long as a condition holds for them. */
export const dropWhile = (heap: TargetHeap, holds: (target: Target) => boolean): TargetHeap => {
  let { root, size } = heap
  while (root !== null && holds(root)) {
    root = merge(root.left, root.right)
    size--
  }
  return size === heap.size ? heap : { root, size }
}

/** The earliest target that a condition holds for; null without any. */
export const find = ({ root }: TargetHeap, holds: (target: Target) => boolean): Instant | null => {
  let rest = root
  while (rest !== null && !holds(rest)) rest = merge(rest.left, rest.right)
  return rest === null ? null : rest.at
}

/** All targets at or before an instant, in no order; later ones cost nothing. */
export const upTo = ({ root }: TargetHeap, last: Instant): ReadonlyArray<Target> => {
  const found: Array<Target> = []
  const open = [root]
  while (open.length > 0) {
    const node = open.pop() ?? null
    if (node === null || node.at > last) continue
    found.push(node)
    open.push(node.left, node.right)
  }
  return found
}
