/**
 * The conversations that clients of MCP began. The library keeps each until its client ends it, which few do: beyond as
 * many as there may be, those that were used longest ago are ended, and their clients begin anew.
 */

export interface McpSessions {
  /** One is begun; answers those that must end for it. */
  begin(id: string): ReadonlyArray<string>
  /** One is used again. */
  use(id: string): void
  /** One is ended. */
  end(id: string): void
}

export const make = (most: number): McpSessions => {
  const known = new Set<string>()
  return {
    begin: (id) => {
      known.add(id)
      const ended = [...known].slice(0, Math.max(known.size - most, 0))
      for (const each of ended) known.delete(each)
      return ended
    },
    use: (id) => {
      if (known.delete(id)) known.add(id)
    },
    end: (id) => {
      known.delete(id)
    }
  }
}
