const SECONDS = { h: 3_600, min: 60, s: 1 } as const
type Unit = keyof typeof SECONDS

/** Words for the units, as people type them in the languages of the console. Without a unit, it is minutes. */
const UNITS: Readonly<Record<string, Unit>> = {
  '': 'min',
  ...{ s: 's', sec: 's', sek: 's', m: 'min', min: 'min', h: 'h', std: 'h', t: 'h' },
}
const PART = /^\s*(\d+(?:[.,]\d+)?)\s*([a-z]*)\.?/i

/** Returns seconds as a text, for example `1 h 30 min`. */
export function delayText(seconds: number): string {
  let left = seconds
  const parts = (Object.keys(SECONDS) as Unit[]).flatMap((unit) => {
    const count = Math.floor(left / SECONDS[unit])
    left -= count * SECONDS[unit]
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.length > 0 ? parts.join(' ') : '0 min'
}

/** Reads a text like `5`, `5 min`, `1.5 h` or `1 h 30 min` as whole seconds; `undefined` when it is none. */
export function readDelay(text: string): number | undefined {
  let rest = text.trim()
  let seconds = 0
  if (rest === '') return undefined
  while (rest !== '') {
    const [part, count = '', word = ''] = PART.exec(rest) ?? []
    const unit = UNITS[word.toLowerCase()]
    if (part === undefined || unit === undefined) return undefined
    seconds += Number(count.replace(',', '.')) * SECONDS[unit]
    rest = rest.slice(part.length).trim()
  }
  return Math.round(seconds)
}
