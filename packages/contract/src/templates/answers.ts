import type { FileProblem } from '../commissioning/index.ts'
import { schemaExpression } from '../expressions.ts'
import { TAG } from '../patterns.ts'
import { shown } from '../shown.ts'
import type { Answer } from './placeholders.ts'
import { questionsOf } from './questions.ts'
import type { Template, TemplateQuestion } from './template.ts'

const MAX_TEXT = 255
// A line that a file, a topic or a terminal takes as it is.
const CONTROL = /\p{Cc}/u
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/

/** Answers by key, as a form or a command line has them: a number may be text. */
export type Answers = Readonly<Record<string, unknown>>

/** Checks all answers of a template at once, with defaults for missing ones. The path of a problem is the key. */
export function readAnswers(
  template: Template,
  given: Answers,
): { answers: ReadonlyMap<string, Answer>; problems: FileProblem[] } {
  const ways = waysOf(template, given)
  const questions = questionsOf(template, ways[0])
  const problems = unknownKeys(template, questions, given)
  if (ways.length > 1) problems.push({ path: 'protocol', message: `is missing: ${ways.join(' or ')}` })
  const answers = new Map<string, Answer>()
  for (const question of questions) {
    const { key } = question
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (value !== undefined && value !== '') {
      const read = readAnswer(question, value)
      if (typeof read === 'object') problems.push({ path: key, message: read.problem })
      else answers.set(key, read)
    } else if (key === 'protocol' && ways[0] !== undefined) answers.set(key, ways[0])
    else if (question.default !== undefined) answers.set(key, question.default)
    else if (!question.optional) problems.push({ path: key, message: missing(question) })
  }
  return { answers, problems }
}

/** The ways to reach the equipment that are left: the chosen one, or else those that ask for everything that was answered. */
function waysOf(template: Template, given: Answers): string[] {
  if (Object.hasOwn(given, 'protocol')) return typeof given.protocol === 'string' ? [given.protocol] : []
  const asks = (protocol: string) => {
    const keys = new Set(questionsOf(template, protocol).map(({ key }) => key))
    return Object.keys(given).every((key) => keys.has(key))
  }
  const { protocols } = template
  const asking = protocols.map(({ protocol }) => protocol).filter(asks)
  const usual = asking.find((protocol) => protocol === protocols[0]?.protocol)
  return usual === undefined ? asking : [usual]
}

function missing({ question, example }: TemplateQuestion): string {
  return `is missing: ${question}${example === undefined ? '' : `, for example ${example}`}`
}

/** Answers for another protocol of the template do no harm: a form keeps them when the protocol is changed. */
function unknownKeys(template: Template, questions: readonly TemplateQuestion[], given: Answers): FileProblem[] {
  const known = new Set(
    [...questions, ...template.protocols.flatMap(({ protocol }) => questionsOf(template, protocol))].map(
      ({ key }) => key,
    ),
  )
  const keys = questions.map(({ key }) => key).join(', ')
  return Object.keys(given)
    .filter((key) => !known.has(key) && key !== 'protocol')
    .map((key) => ({ path: shown(key), message: `is not a question of this template; its questions: ${keys}` }))
}

/** Returns the answer with its type, or what is wrong with it. */
export function readAnswer(question: TemplateQuestion, given: unknown): Answer | { problem: string } {
  const { type, choices = [] } = question
  const text = typeof given === 'string' ? given.trim() : typeof given === 'number' ? String(given) : undefined
  if (text === undefined) return { problem: 'must be text or a number' }
  if (type === 'choice') {
    const choice = choices.find((one) => String(one) === text)
    return choice ?? { problem: `"${shown(text)}" must be one of: ${choices.join(', ')}` }
  }
  if (type === 'integer' || type === 'number') return readNumber(question, text, given)
  if (text === '' || text.length > MAX_TEXT || CONTROL.test(text)) {
    return { problem: `must be one line of 1 to ${MAX_TEXT} characters` }
  }
  if (type === 'id' && !schemaExpression(TAG).test(text)) {
    return { problem: `"${shown(text)}" must be letters, digits and . _ : / -` }
  }
  return text
}

function readNumber({ type, min, max }: TemplateQuestion, text: string, given: unknown): number | { problem: string } {
  const value = typeof given === 'number' ? given : NUMBER.test(text) ? Number(text) : Number.NaN
  const kind = type === 'integer' ? 'a whole number' : 'a number with a point for decimals'
  const isKind = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
  const [low, high] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY]
  if (isKind && value >= low && value <= high) return value
  const bounds = [min !== undefined && `from ${min}`, max !== undefined && `to ${max}`].filter(Boolean)
  return { problem: `"${shown(text)}" must be ${[kind, ...bounds].join(' ')}` }
}
