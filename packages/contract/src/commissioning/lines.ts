/** A parsed JSON or YAML document, as far as this needs it. */
interface ParsedDocument {
  /** The node at a path; with `true`, the node rather than its value. */
  getIn(path: readonly (string | number)[], keepScalar: true): unknown
}

/** Returns where an offset is, from line 1 on. */
interface LineCounter {
  linePos(offset: number): { line: number }
}

/** Parses the path of a finding: `connections[0].name` is `['connections', 0, 'name']`. */
export function pathSteps(path: string): (string | number)[] {
  return [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index))
}

/** Returns the line of a finding in the file as it was written, or that of the nearest thing around it. */
export function lineOf(document: ParsedDocument, lines: LineCounter, path: string): number | undefined {
  for (const steps = pathSteps(path); steps.length > 0; steps.pop()) {
    const start = startOf(document.getIn(steps, true))
    if (start !== undefined) return lines.linePos(start).line
  }
  const start = startOf(document.getIn([], true))
  return start === undefined ? undefined : lines.linePos(start).line
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined
  const { range } = node
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined
}
