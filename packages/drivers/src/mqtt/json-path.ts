/** Where a value stands in a JSON document: names of objects and places in lists, from the outside in. */
export interface JsonPath {
  /** As it was commissioned. */
  text: string
  steps: readonly (string | number)[]
}

const STEP = /(?:^|\.)([^.[\]"]+)|\[(\d{1,9})\]|\["([^"]+)"\]/y
const MOST_STEPS = 32

/**
 * Reads `value`, `sensors[0].temp` or `meters["1.8.0"].kWh`; a leading `$.` is allowed. `undefined` when it is not of this
 * form.
 */
export function parsePath(text: string): JsonPath | undefined {
  const steps: (string | number)[] = []
  const bare = text.replace(/^\$\.?(?=.)/, '')
  let position = 0
  while (position < bare.length && steps.length < MOST_STEPS) {
    STEP.lastIndex = position
    const [step, name, place, quoted] = STEP.exec(bare) ?? []
    if (step === undefined) return undefined
    steps.push(place === undefined ? ((name ?? quoted) as string) : Number(place))
    position += step.length
  }
  return steps.length > 0 && position === bare.length ? { text, steps } : undefined
}

/** The value at the path, or `undefined` when it is not there: JSON itself has no such value. */
export function valueAt(document: unknown, { steps }: JsonPath): unknown {
  let value = document
  for (const step of steps) {
    if (Array.isArray(value)) value = typeof step === 'number' ? value[step] : undefined
    else if (isObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

/** The text before and after a value that stands alone at the path, or `undefined` where a list is on the way to it. */
export function wrapping({ steps }: JsonPath): readonly [before: string, after: string] | undefined {
  if (steps.some((step) => typeof step === 'number')) return undefined
  return [steps.map((name) => `{${JSON.stringify(name)}:`).join(''), '}'.repeat(steps.length)]
}

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null
