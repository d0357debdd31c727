import type { ReportedValue } from '@plantroom/contract/reports'
import { format } from '../texts/format.ts'
import { recent as texts } from '../texts/site.ts'
import { rounded } from './chart/rounded.ts'
import { sparkPath } from './spark-path.ts'
import classes from './sparkline.module.css'
import { shownValue } from './value.ts'

const [WIDTH, HEIGHT] = [96, 28]

/** The last hour of a datapoint as a small line, with its value now at the end. */
export function Sparkline({
  means,
  last,
  unit,
}: {
  means: readonly (number | null)[]
  last: ReportedValue
  unit: string | undefined
}) {
  const values = [...means, typeof last === 'number' ? last : null]
  const known = values.filter((value) => value !== null)
  // One point is no line.
  if (known.length < 2) return null
  const [min, max] = [Math.min(...known), Math.max(...known)].map((value) => shownValue(rounded(value), unit))
  const label =
    min === max ? format(texts.steady, { value: max ?? '' }) : format(texts.between, { min: min ?? '', max: max ?? '' })
  return (
    <svg className={classes.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      <path d={sparkPath(values, WIDTH, HEIGHT)} />
    </svg>
  )
}
