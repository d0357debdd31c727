import type * as english from '../times.ts'
import type { Translation } from '../translation.ts'

export const times: Translation<typeof english.times> = {
  tomorrow: 'morgen {time}',
  seconds: '{seconds} s',
  minutes: '{minutes} min',
  minutesAndSeconds: '{minutes} min {seconds} s',
  hours: '{hours} h',
  hoursAndMinutes: '{hours} h {minutes} min',
  days: '{count, plural, one {# d} other {# d}}',
}
