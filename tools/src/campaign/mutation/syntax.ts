import { parseSync } from 'vite'

/** A node of the syntax tree (ESTree with TypeScript). */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** What replaces a part of a source. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly after: string
}

/** Calls `visit` for every node that has an effect at run time, parents first. */
export function walk(file: string, source: string, visit: (node: Node) => void): void {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  const descend = (node: Node) => {
    if (isBeyondRuntime(node)) return
    visit(node)
    for (const child of childrenOf(node)) descend(child)
  }
  descend(program as unknown as Node)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

const EXPRESSIONS_WITH_TYPES = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']

/** Types and imports: the compiler finds a change of them, not a test. */
function isBeyondRuntime({ type }: Node): boolean {
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return true
  return type.startsWith('TS') && !EXPRESSIONS_WITH_TYPES.includes(type)
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([field, value]) => {
    if (['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments'].includes(field)) return []
    if (field === 'source' || (field === 'key' && node.computed !== true)) return []
    return [value].flat().filter(isNode)
  })
}
