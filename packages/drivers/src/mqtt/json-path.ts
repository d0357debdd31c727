/** The path to a value in a JSON document: object keys and list indexes, from the outside in. */
export interface JsonPath {
  /** The path as commissioned. */
  text: string
  steps: readonly (string | number)[]
}

const STEP = /(?:^|\.)([^.[\]"]+)|\[(\d{1,9})\]|\["([^"]+)"\]/y
const MAX_STEPS = 32

/**
 * Parses `value`, `sensors[0].temp` or `meters["1.8.0"].kWh`, with or without a leading `$.`. Returns `undefined` for
 * other text.
 */
export function parsePath(text: string): JsonPath | undefined {
  const steps: (string | number)[] = []
  const bare = text.replace(/^\$\.?(?=.)/, '')
  let position = 0
  while (position < bare.length && steps.length < MAX_STEPS) {
    STEP.lastIndex = position
    const [step, name, place, quoted] = STEP.exec(bare) ?? []
    if (step === undefined) return undefined
    steps.push(place === undefined ? ((name ?? quoted) as string) : Number(place))
    position += step.length
  }
  return steps.length > 0 && position === bare.length ? { text, steps } : undefined
}

/** Returns the value at the path; `undefined`, which does not occur in JSON, if there is none. */
export function valueAt(document: unknown, { steps }: JsonPath): unknown {
  let value = document
  for (const step of steps) {
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined
    else if (isObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

/** Returns the JSON before and after a lone value at the path; `undefined` if the path contains a list index. */
export function wrapping({ steps }: JsonPath): readonly [before: string, after: string] | undefined {
  if (steps.some((step) => typeof step === 'number')) return undefined
  return [steps.map((name) => `{${JSON.stringify(name)}:`).join(''), '}'.repeat(steps.length)]
}

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null
