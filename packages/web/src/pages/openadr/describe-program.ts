import type { OpenadrProgram } from '@plantroom/contract/openadr'
import type { When } from '../../parts/describe-hold.ts'
import { duration, minuteTime } from '../../parts/time.ts'
import { joinFacts, listed, sentence } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { openadr as texts } from '../../texts/openadr.ts'
import { profileName, profileOf } from './profile-of.ts'

/** The color of each state. The text says the same. */
export const STATE_COLORS = { new: 'blue', connected: 'green', failing: 'red', paused: 'gray' } as const

/** Returns the part of an address that people recognize. */
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)

/** Says how a program is: `Connected, asked 12 s ago`, or since when it fails and what to do. */
export function describeState(
  { state, problem, failingSince, polledAt, nextPollAt }: OpenadrProgram,
  { timeZone, now }: When,
): string {
  if (state === 'paused') return texts.says.paused
  if (state === 'failing') {
    const why = problem === null ? texts.says.noProblem : ended(problem)
    if (failingSince === null) return format(texts.says.failingNow, { problem: why })
    return format(texts.says.failing, { time: minuteTime(failingSince, timeZone, now), problem: why })
  }
  if (state === 'connected' && polledAt !== null) {
    return format(texts.says.connected, { age: duration(now - Date.parse(polledAt)) })
  }
  if (nextPollAt === null) return texts.says.new
  return format(texts.says.newSince, { time: minuteTime(nextPollAt, timeZone, now) })
}

/** A message of the service that follows a colon. Its first word may be the name of a server. */
const ended = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`)

/** Says how a program speaks with its VTN: `vtn.example.com · OpenADR 3.1 · E.ON SWITCH · asked every 1 min`. */
export function describeConnection(program: OpenadrProgram): string {
  const { vtnUrl, version, pollSeconds, notifications } = program
  return joinFacts([
    hostOf(vtnUrl),
    format(texts.facts.version, { version }),
    profileName(program),
    format(texts.facts.polled, { time: duration(pollSeconds * 1000) }),
    notifications === null ? texts.facts.polledOnly : texts.facts[notifications],
  ])
}

/** Says why changes wait for the next poll; `undefined` when the VTN announces them, or has no way to. */
export function describePolling({ notificationProblem }: OpenadrProgram): string | undefined {
  if (notificationProblem === null) return undefined
  return format(texts.facts.polledBecause, { why: ended(notificationProblem) })
}

/** Lists what a person has to do about a program, beside the state of its connection. */
export function describeProblems(program: OpenadrProgram): string[] {
  const { state, problem, mapping, missingPrograms, missingDatapoints } = program
  const problems = [
    state === 'connected' && problem !== null && sentence(problem),
    mapping.resources.length === 0 && texts.nothingMapped,
    missingPrograms.length > 0 && format(texts.missingPrograms, { names: listed(missingPrograms) }),
    missingDatapoints.length > 0 &&
      format(texts.missingDatapoints, { count: missingDatapoints.length, names: listed(missingDatapoints) }),
    describeClock(program),
  ]
  return problems.filter((each) => each !== false)
}

/** Says that the clocks differ by more than the profile allows; `false` when they do not. */
function describeClock(program: OpenadrProgram): string | false {
  const { clockOffsetMs } = program
  const toleranceMs = (profileOf(program)?.clockToleranceSeconds ?? 0) * 1000
  if (clockOffsetMs === null || Math.abs(clockOffsetMs) <= toleranceMs) return false
  const time = duration(Math.abs(clockOffsetMs))
  return format(clockOffsetMs > 0 ? texts.clockAhead : texts.clockBehind, { time })
}

/** Names the sites of a program. A person may not see all of them. */
export function describeSites(siteIds: readonly string[], sites: readonly { id: string; name: string }[]): string {
  if (siteIds.length === 0) return texts.noSites
  const names = siteIds.map((siteId) => sites.find(({ id }) => id === siteId)?.name ?? texts.unknownSite)
  return format(texts.sites, { names: listed(names) })
}

/** The numbers of a program, each with the address of the list behind it, below the page. */
export function countsOf({ id, counts }: OpenadrProgram) {
  const events = `/events?programId=${encodeURIComponent(id)}`
  const reports = `/reports?programId=${encodeURIComponent(id)}`
  return [
    { key: 'events', count: counts.events, to: events, isBad: false },
    { key: 'placed', count: counts.placed, to: events, isBad: false },
    { key: 'refused', count: counts.refused, to: events, isBad: counts.refused > 0 },
    { key: 'reportsDue', count: counts.reportsDue, to: `${reports}&state=waiting`, isBad: false },
    {
      key: 'reportsRefused',
      count: counts.reportsRefused,
      to: `${reports}&state=refused`,
      isBad: counts.reportsRefused > 0,
    },
  ] as const
}
