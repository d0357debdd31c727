import { type Change, isNode, type Node } from './syntax.ts'

/** What becomes of a piece of SQL. An equals sign stays: in most places only a comparison is valid, or only an assignment. */
const PIECES: readonly (readonly [piece: RegExp, after: string])[] = [
  [/(?<= )<=(?= )/g, '<'],
  [/(?<= )<(?= )/g, '<='],
  [/(?<= )>=(?= )/g, '>'],
  [/(?<= )>(?= )/g, '>='],
  [/(?<!\bBETWEEN\b[^)]*)\bAND\b/g, 'OR'],
  [/\bOR\b/g, 'AND'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/\bNOT EXISTS\b/g, 'EXISTS'],
  [/(?<!\bNOT )\bEXISTS\b/g, 'NOT EXISTS'],
  [/\bFOR (?:NO KEY )?UPDATE\b(?: OF \w+)?/g, ''],
  [/\bSKIP LOCKED\b/g, ''],
  [/\bDESC\b/g, ''],
  [/\bDISTINCT\b(?! ON)/g, ''],
  [/\bleast\b/g, 'greatest'],
  [/\bgreatest\b/g, 'least'],
]

/** Changes what a template of SQL selects, orders or locks. */
export function changeSql(node: Node, source: string): Change[] {
  const { tag, quasi } = node as unknown as { tag: Node; quasi: { quasis: readonly Node[] } }
  if (source.slice(tag.start, tag.end) !== 'sql') return []
  return quasi.quasis.flatMap(({ start, end }) => {
    const text = source.slice(start, end)
    return PIECES.flatMap(([piece, after]) =>
      [...text.matchAll(piece)].map(({ 0: { length }, index }) => ({
        start: start + index,
        end: start + index + length,
        after,
      })),
    )
  })
}

const LINKS = ['where', 'whereRef', 'forUpdate', 'skipLocked', 'orderBy', 'filter']

/** Leaves a condition, an order or a lock out of a chain of calls. */
export function dropLink(node: Node): Change[] {
  const { callee } = node as unknown as { callee: Node }
  const { object, property, computed } = callee
  if (callee.type !== 'MemberExpression' || computed === true || !isNode(object) || !isNode(property)) return []
  if (typeof property.name !== 'string' || !LINKS.includes(property.name)) return []
  return [{ start: object.end, end: node.end, after: '' }]
}
