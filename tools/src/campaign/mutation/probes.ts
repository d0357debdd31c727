import { dirname, relative } from 'node:path'
import { isNode, walk } from './syntax.ts'

/** A part of a source that runs as a whole or not at all. */
export interface Part {
  readonly id: number
  readonly kind: 'block' | 'statement' | 'expression'
  readonly start: number
  readonly end: number
}

/** The module that probed sources import, in the root of the copy. */
export const HITS_MODULE = 'mutation-hits.mjs'
/** Probes write here which parts ran, also in programs that a test starts. */
export const HITS_FILE = 'mutation-hits.txt'

export const HITS_SOURCE = `import { appendFileSync } from 'node:fs'
const path = new URL('./${HITS_FILE}', import.meta.url)
const seen = new Set()
export function hit(id) {
  if (seen.has(id)) return
  seen.add(id)
  appendFileSync(path, id + '\\n')
}
`

/** Lists the parts of a source: blocks, single statements of a condition or loop, and sides of an expression. */
export function findParts(file: string, source: string, firstId = 0): Part[] {
  const parts: Part[] = []
  const add = (kind: Part['kind'], value: unknown) => {
    if (!isNode(value)) return
    parts.push({ id: firstId + parts.length, kind, start: value.start, end: value.end })
  }
  walk(file, source, (node) => {
    if (node.type === 'BlockStatement') add('block', node)
    for (const field of STATEMENTS[node.type] ?? []) if (!isBlock(node[field])) add('statement', node[field])
    for (const field of EXPRESSIONS[node.type] ?? []) if (!isBlock(node[field])) add('expression', node[field])
  })
  return parts
}

const isBlock = (value: unknown) => isNode(value) && value.type === 'BlockStatement'
const LOOP = ['body']
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  ...{ IfStatement: ['consequent', 'alternate'], WhileStatement: LOOP, DoWhileStatement: LOOP },
  ...{ ForStatement: LOOP, ForOfStatement: LOOP, ForInStatement: LOOP },
}
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  ArrowFunctionExpression: ['body'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['right'],
}

/** Returns the smallest part around a place; `undefined` if the place runs when the module is loaded. */
export function partAround(parts: readonly Part[], place: Pick<Part, 'start' | 'end'>): Part | undefined {
  const around = parts.filter(({ start, end }) => start <= place.start && place.end <= end)
  return around.toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]
}

/** Returns the source with a probe at the beginning of each part. */
export function addProbes(file: string, source: string, parts: readonly Part[]): string {
  const inserted = parts.flatMap(({ id, kind, start, end }) => {
    const hit = `mutation_hit(${id})`
    if (kind === 'block') return [{ at: start + 1, order: 0, text: `${hit};` }]
    const [open, close] = kind === 'statement' ? [`{${hit};`, '}'] : [`(${hit},`, ')']
    // At the same place, parts that end come first. The largest one opens first and closes last.
    const order = 1 / (end - start)
    return [
      { at: start, order, text: open },
      { at: end, order: -order, text: close },
    ]
  })
  let result = ''
  let from = 0
  for (const { at, text } of inserted.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
    result += source.slice(from, at) + text
    from = at
  }
  const module = `${relative(dirname(file), '.') || '.'}/${HITS_MODULE}`
  return `${result}${source.slice(from)}\nimport { hit as mutation_hit } from '${module}'\n`
}
