import { isCheckout } from '@plantroom/base/program-file'
import type { Command } from './command.ts'
import { activity } from './commands/activity.ts'
import { alerts } from './commands/alerts.ts'
import { audit } from './commands/audit.ts'
import { commission } from './commands/commission.ts'
import { completion } from './commands/completion/completion.ts'
import { device } from './commands/device.ts'
import { dr } from './commands/dr/dr.ts'
import { fleet } from './commands/fleet/fleet.ts'
import { hold } from './commands/hold/hold.ts'
import { key } from './commands/key.ts'
import { limit } from './commands/limit/limit.ts'
import { createMan } from './commands/man.ts'
import { measurements } from './commands/measurements.ts'
import { member } from './commands/member/member.ts'
import { openadr } from './commands/openadr.ts'
import { org } from './commands/org.ts'
import { packages } from './commands/package/package.ts'
import { profile } from './commands/profile/profile.ts'
import { reports } from './commands/reports.ts'
import { request } from './commands/request/request.ts'
import { simulateFleet } from './commands/simulate-fleet/simulate-fleet.ts'
import { site } from './commands/site.ts'
import { template } from './commands/template.ts'
import { user } from './commands/user.ts'
import { version } from './commands/version.ts'
import { webhook } from './commands/webhook.ts'
import { demo } from './demo/demo.ts'
import { type Reference, referenceOf } from './reference/reference.ts'

/** The commands that this program runs. One that does not declare its verbs needs a row in `reference/programs.ts`. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  demo,
  org,
  site,
  device,
  key,
  member,
  user,
  commission,
  template,
  hold,
  webhook,
  dr,
  fleet,
  limit,
  openadr,
  reports,
  measurements,
  activity,
  alerts,
  audit,
  request,
  package: packages,
  'simulate-fleet': simulateFleet,
  profile,
  completion,
  version,
  man: createMan(() => REFERENCE),
}

/** What a person can type, of all commands. */
export const REFERENCE: Reference = referenceOf(COMMANDS, isCheckout())
