import type { FleetStatus } from '@plantroom/contract/fleet-simulation'

const whole = new Intl.NumberFormat('en')

/** One line about the fleet. Rates are since the line before. */
export function sayStatus(
  status: FleetStatus,
  before: { status: FleetStatus; at: number } | undefined,
  at: number,
): string {
  const seconds = before ? (at - before.at) / 1000 : Number.NaN
  const rate = (name: 'commands' | 'confirmedValues') => {
    const perSecond = (status[name] - (before?.status[name] ?? 0)) / seconds
    return Number.isFinite(perSecond) ? ` (${whole.format(Math.round(perSecond))}/s)` : ''
  }
  return [
    `${whole.format(status.connected)} of ${whole.format(status.devices)} connected`,
    `${whole.format(status.confirmedValues)} values confirmed${rate('confirmedValues')}`,
    `${whole.format(status.waitingValues)} waiting`,
    `${whole.format(status.resent)} batches sent again`,
    `${whole.format(status.commands)} commands${rate('commands')}`,
    ...(status.refused > 0 ? [`${whole.format(status.refused)} logins or subscriptions refused`] : []),
  ].join(' · ')
}

/** The closing line. */
export function sayEnd(status: FleetStatus): string {
  return [
    `${whole.format(status.devices)} controllers`,
    `${whole.format(status.confirmedValues)} values in ${whole.format(status.confirmed)} batches confirmed`,
    `${whole.format(status.resent)} sent again`,
    `${whole.format(status.overrides)} overrides accepted`,
    `${whole.format(status.commands)} commands`,
    `${whole.format(status.lost)} connections lost`,
  ].join(' · ')
}
