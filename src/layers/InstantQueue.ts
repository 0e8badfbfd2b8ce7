/**
 * A binary heap of items by instant, from which any item can be removed, since each knows its place.
 */

/** What can be queued: an instant in epoch milliseconds, and the item's place, -1 while it is not queued. */
export interface Item {
  at: number
  index: number
}

export interface InstantQueue<T extends Item> {
  /** The earliest item. */
  peek(): T | undefined
  add(item: T): void
  remove(item: T): void
}

/** Whether the item is in its queue. */
export const isQueued = (item: Item): boolean => item.index >= 0

export const make = <T extends Item>(): InstantQueue<T> => {
  const heap: Array<T> = []

  const put = (item: T, index: number) => {
    heap[index] = item
    item.index = index
  }

  const rise = (item: T, from: number): number => {
    let index = from
    while (index > 0) {
      const parent = heap[(index - 1) >> 1]
      if (parent === undefined || parent.at <= item.at) break
      put(parent, index)
      index = (index - 1) >> 1
    }
    return index
  }

  const earlierChild = (index: number): T | undefined => {
    const left = heap[2 * index + 1]
    const right = heap[2 * index + 2]
    return left !== undefined && right !== undefined && right.at < left.at ? right : left
  }

  const sink = (item: T, from: number): number => {
    let index = from
    for (let child = earlierChild(index); child !== undefined && child.at < item.at; child = earlierChild(index)) {
      const next = child.index
      put(child, index)
      index = next
    }
    return index
  }

  return {
    peek: () => heap[0],
    add: (item) => put(item, rise(item, heap.length)),
    remove: (item) => {
      const { index } = item
      item.index = -1
      const last = heap.pop()
      if (last === undefined || last === item) return
      const risen = rise(last, index)
      put(last, risen === index ? sink(last, index) : risen)
    }
  }
}
