import { catalogue } from './language.ts'

/** Times and lengths of time. */
export const times = catalogue('times', {
  tomorrow: 'tomorrow {time}',
  seconds: '{seconds} s',
  minutes: '{minutes} min',
  minutesAndSeconds: '{minutes} min {seconds} s',
  hours: '{hours} h',
  hoursAndMinutes: '{hours} h {minutes} min',
  days: '{count, plural, one {# day} other {# days}}',
})
