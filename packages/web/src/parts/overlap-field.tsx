import { Radio, Stack } from '@mantine/core'
import { overlap as texts } from '../texts/common.ts'

/** For how long an old secret still works after a rotation. */
const SECONDS = { none: 0, hour: 3600, day: 86_400, week: 7 * 86_400 } as const
export type Overlap = keyof typeof SECONDS
const OVERLAPS = Object.keys(SECONDS) as readonly Overlap[]

export const secondsOf = (overlap: Overlap) => SECONDS[overlap]

/** Asks for how long the old secret still works. */
export function OverlapField({ value, onChange }: { value: Overlap; onChange: (chosen: Overlap) => void }) {
  return (
    <Radio.Group label={texts.label} value={value} onChange={(chosen) => onChange(chosen as Overlap)}>
      <Stack gap="xs" my={6}>
        {OVERLAPS.map((each) => (
          <Radio key={each} value={each} label={texts.choices[each]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
