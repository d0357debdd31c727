/** What stands below the axis of time, by the clocks of the site: the time of day, and the day where a new one begins. */
export function axisLabels(seconds: readonly number[], step: number, timeZone: string): string[] {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    ...(step < 60 && { second: '2-digit' }),
  })
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' })
  let before = ''
  return seconds.map((each) => {
    const on = day.format(each * 1000)
    const label = on === before ? clock.format(each * 1000) : `${clock.format(each * 1000)}\n${on}`
    before = on
    return label
  })
}
