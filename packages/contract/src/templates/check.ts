import type { FileProblem } from '../commissioning/index.ts'
import { schemaProblems } from '../schema-problems.ts'
import { shown } from '../shown.ts'
import { readAnswer } from './answers.ts'
import { fillTemplate } from './fill.ts'
import { type Answer, factorKeysIn, keysIn } from './placeholders.ts'
import { questionOf, questionsOf, RESERVED_KEYS } from './questions.ts'
import { Template, type TemplateDatapoint, type TemplateQuestion } from './template.ts'
import { unitProblem } from './units.ts'

/** A longer list helps nobody, and an attacker could make it very long. */
const MOST_PROBLEMS = 200

/**
 * Returns every mistake in a document that should be a template, in the order of the file. A template without any can be
 * filled in: each of its protocols is tried with defaults and examples.
 */
export function templateProblems(document: unknown): FileProblem[] {
  const ofShape = schemaProblems(Template, document, MOST_PROBLEMS).map(({ path, rule }) => ({ path, message: rule }))
  if (ofShape.length > 0) return ofShape
  const template = document as Template
  const found = [
    ...taken('protocols', template.protocols, ({ protocol }) => protocol),
    ...questionProblems(template),
    ...taken('datapoints', template.datapoints, ({ name }) => name.trim().toLowerCase()),
    ...template.datapoints.flatMap((datapoint, index) => datapointProblems(template, datapoint, index)),
  ]
  return (found.length > 0 ? found : filledProblems(template)).slice(0, MOST_PROBLEMS)
}

/** Returns answers to all questions of a template that have a default or an example. */
export function sampleAnswers(template: Template, protocol?: string): Record<string, Answer> {
  return Object.fromEntries(
    questionsOf(template, protocol).flatMap(({ key, default: usual, example }) => {
      const value = key === 'protocol' ? protocol : (usual ?? example)
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

function filledProblems(template: Template): FileProblem[] {
  return template.protocols.flatMap(({ protocol }) =>
    (fillTemplate(template, sampleAnswers(template, protocol)).problems ?? []).map(({ path, message }) => ({
      path: path.replace('connections[0].', ''),
      message: `${message} (filled in for ${protocol})`,
    })),
  )
}

function questionProblems(template: Template): FileProblem[] {
  const { questions = [], protocols, datapoints } = template
  const used = new Set(keysIn([protocols.map(({ settings }) => settings), datapoints]))
  const unknown = [...used].filter((key) => !questionOf(template, key))
  return [
    ...taken('questions', questions, ({ key }) => key),
    ...questions.flatMap((question, index) =>
      ownProblems(question, used).map((message) => ({ path: `questions[${index}]`, message })),
    ),
    ...unknown.map((key) => ({
      path: 'questions',
      message: `nothing asks for \${${key}}: add a question with this key, or correct the placeholder`,
    })),
    ...factorKeysIn([protocols, datapoints])
      .filter((key) => !['integer', 'number', undefined].includes(questionOf(template, key)?.type))
      .map((key) => ({ path: 'questions', message: `\${${key}} is multiplied: its type must be number or integer` })),
  ]
}

function ownProblems(question: TemplateQuestion, used: ReadonlySet<string>): string[] {
  const { key, type, choices, min, max, default: usual, example } = question
  const isNumber = type === 'integer' || type === 'number'
  const wrong = ([what, value]: readonly [string, Answer | undefined]): string[] => {
    const read = value === undefined ? value : readAnswer(question, value)
    return typeof read === 'object' ? [`${what} ${read.problem}`] : []
  }
  return [
    ...(RESERVED_KEYS.includes(key) ? [`the key ${key} is asked by every template: choose another one`] : []),
    ...(used.has(key) ? [] : [`no field contains \${${key}}: use it, or remove the question`]),
    ...((type === 'choice') === (choices === undefined)
      ? ['the type choice needs choices, and no other type has them']
      : []),
    ...(!isNumber && (min ?? max) !== undefined ? ['min and max are only for numbers'] : []),
    ...(min !== undefined && max !== undefined && min > max ? [`min ${min} is above max ${max}`] : []),
    ...(usual === undefined && example === undefined ? ['needs a default or an example'] : []),
    ...(
      [
        ['default', usual],
        ['example', example],
      ] as const
    ).flatMap(wrong),
  ]
}

function datapointProblems(template: Template, datapoint: TemplateDatapoint, index: number): FileProblem[] {
  const { accessType, unit, kind, data, release, writeInputData, name } = datapoint
  const problems: FileProblem[] = []
  const say = (field: string, message: string) => problems.push({ path: `datapoints[${index}].${field}`, message })
  const wrongUnit = unit === undefined ? undefined : unitProblem(unit)
  if (wrongUnit !== undefined) say('unit', `${shown(unit ?? '')} ${wrongUnit}`)
  if (kind === 'scale-factor' && data.type === 'uint16') {
    say('data.type', 'a scale factor may be negative: as uint16, -1 would read as 65535; use int16')
  }
  const isRegister = template.datapoints.some(
    ({ failsafe }) => failsafe?.reversion === name || failsafe?.heartbeat === name,
  )
  if (accessType !== 'READ' && !isRegister) {
    if (!writeInputData) say('writeInputData', 'is missing: give the envelope that is safe for this equipment')
    if (release === undefined) {
      say('release', 'is missing: say what ends a setpoint, and what the equipment does if the controller dies')
    }
  }
  if (accessType === 'READ' && release !== undefined) say('release', 'is only for datapoints that can be written')
  return problems
}

/** Reports names of a list that are used twice. */
function taken<Item>(path: string, items: readonly Item[], nameOf: (item: Item) => string): FileProblem[] {
  const first = new Map<string, number>()
  return items.flatMap((item, index) => {
    const name = nameOf(item)
    const before = first.get(name)
    if (before === undefined) first.set(name, index)
    return before === undefined
      ? []
      : [
          {
            path: `${path}[${index}]`,
            message: `"${shown(name)}" is already in ${path}[${before}]: rename or remove one`,
          },
        ]
  })
}
