import { changeSql, dropLink } from './sql-mutators.ts'
import { type Change, type Node, walk } from './syntax.ts'

/** One small change to a source file. */
export interface Mutant {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

type Mutator = (node: Node, source: string) => readonly Change[]

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
}

const MUTATORS: Readonly<Record<string, readonly Mutator[]>> = {
  BinaryExpression: [swapOperator],
  LogicalExpression: [swapOperator, dropFallback],
  AssignmentExpression: [swapOperator],
  IfStatement: [negateTest],
  ConditionalExpression: [negateTest],
  WhileStatement: [negateTest],
  UnaryExpression: [dropUnary],
  Literal: [replaceLiteral],
  ExpressionStatement: [dropCall],
  ReturnStatement: [returnUndefined],
  FunctionDeclaration: [returnEarly],
  FunctionExpression: [returnEarly],
  ArrowFunctionExpression: [returnEarly],
  CallExpression: [dropLink],
  TaggedTemplateExpression: [changeSql],
}

/** Lists every mutant of a file, in the order of the source. All of them parse. */
export function findMutants(file: string, source: string): Mutant[] {
  const mutants: Mutant[] = []
  walk(file, source, (node) => {
    for (const mutate of MUTATORS[node.type] ?? []) {
      for (const change of mutate(node, source)) mutants.push(mutantOf(file, source, change))
    }
  })
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** Returns the source with the change of the mutant. */
export function applyMutant(source: string, { start, end, after }: Mutant): string {
  return source.slice(0, start) + after + source.slice(end)
}

function mutantOf(file: string, source: string, { start, end, after }: Change): Mutant {
  const lines = source.slice(0, start).split('\n')
  return {
    file,
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    start,
    end,
    before: source.slice(start, end),
    after,
  }
}

const textOf = (source: string, { start, end }: Node) => source.slice(start, end)

function swapOperator(node: Node, source: string): Change[] {
  const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string }
  const after = OPERATORS[operator]
  if (after === undefined) return []
  const start = source.indexOf(operator, left.end)
  // A comment between the operands could contain the operator.
  if (start < 0 || start >= right.start || source.slice(left.end, start).includes('/')) return []
  if (operator === '+' && [left, right].some(isText)) return []
  return [{ start, end: start + operator.length, after }]
}

const isText = ({ type, value }: Node) => type === 'TemplateLiteral' || typeof value === 'string'

function dropFallback(node: Node, source: string): Change[] {
  const { left, operator } = node as unknown as { left: Node; operator: string }
  return operator === '??' ? [{ start: node.start, end: node.end, after: textOf(source, left) }] : []
}

function negateTest(node: Node, source: string): Change[] {
  const test = node.test as Node
  // `!x` loses its `!`, and `===` becomes `!==`, in another mutant.
  if (test.type === 'UnaryExpression' || (test.type === 'BinaryExpression' && isEquality(test.operator))) return []
  return [{ start: test.start, end: test.end, after: `!(${textOf(source, test)})` }]
}

const isEquality = (operator: unknown) => typeof operator === 'string' && /^[!=]==?$/.test(operator)

function dropUnary(node: Node, source: string): Change[] {
  const { argument, operator } = node as unknown as { argument: Node; operator: string }
  if (operator !== '!' && operator !== '-') return []
  return [{ start: node.start, end: node.end, after: textOf(source, argument) }]
}

function replaceLiteral(node: Node): Change[] {
  const { start, end, value } = node
  if (typeof value === 'boolean') return [{ start, end, after: String(!value) }]
  if (typeof value === 'number') return [{ start, end, after: String(value + 1) }]
  if (typeof value === 'string' && value !== '') return [{ start, end, after: "''" }]
  return []
}

function dropCall(node: Node): Change[] {
  if (node.type !== 'ExpressionStatement') return []
  const expression = node.expression as Node
  const called = expression.type === 'AwaitExpression' ? (expression.argument as Node) : expression
  return called.type === 'CallExpression' ? [{ start: node.start, end: node.end, after: ';' }] : []
}

function returnUndefined(node: Node): Change[] {
  const argument = node.argument as Node | null
  if (!argument || ('name' in argument && argument.name === 'undefined')) return []
  return [{ start: argument.start, end: argument.end, after: 'undefined' }]
}

function returnEarly(node: Node): Change[] {
  const body = node.body as Node | null
  if (body?.type !== 'BlockStatement') return []
  const [first, ...rest] = body.body as Node[]
  // Without its only call, or returning undefined, in another mutant.
  if (!first || (rest.length === 0 && (first.type === 'ReturnStatement' || dropCall(first).length > 0))) return []
  return [{ start: body.start, end: body.start + 1, after: '{ return;' }]
}
