import { type AlertGroup, groupAlerts } from '@plantroom/contract/alert-groups'
import type { Alert, AlertKind, AlertRules } from '@plantroom/contract/alerts'
import type { Db } from '../../platform/db/database.ts'
import { administratorsOf, oneLine, queueMail } from '../../platform/mail/index.ts'
import { createAlertStore } from './alert-store.ts'
import { createAlertMailStore, type UnsentAlert } from './mail-store.ts'

/** In one mail. The console has the others. */
const MOST_LISTED = 50
/** In one line. */
const MOST_NAMED = 5
const LONGEST_NAME = 80
const LONGEST_REASON = 300

/** What is wrong, as a sentence. `{subject}` is the name of what it is about, `{device}` that of its controller. */
const SENTENCES: Readonly<Record<AlertKind, string>> = {
  'controller-offline': 'The controller {device} is offline.',
  'connection-lost': 'The controller {device} has lost its connection to {subject}.',
  'setpoint-not-taken': '{subject} of the controller {device} does not take its setpoint.',
  'not-restored': '{subject} of the controller {device} could not be set back.',
  'limit-not-kept': 'The site of the controller {device} was above its power limit.',
  'openadr-unreachable': 'The OpenADR program {subject} cannot be reached.',
  'openadr-refused': 'Events of the OpenADR program {subject} could not be placed.',
  'clock-wrong': 'The clock of the controller {device} is wrong.',
  'import-failed': 'The import of {subject} failed.',
  'export-failed': 'The automatic export to {subject} failed.',
  'disk-low': 'The disk of the controller {device} is almost full.',
  'disk-failed': 'The controller {device} cannot keep its memory on its disk, and takes no override.',
  'memory-lost': 'The controller {device} had lost its memory.',
  'file-rolled-back': 'The controller {device} went back to what it ran before a commissioning file.',
  'telemetry-gap': 'Measurements of the controller {device} are missing.',
}

/** Queues one mail for each recipient of each organization that may get one now. */
export async function notifyByMail(
  tx: Db,
  { now, mailsPerHour, sendsMail, baseUrl }: { now: Date; mailsPerHour: number; sendsMail: boolean; baseUrl: string },
): Promise<void> {
  const store = createAlertMailStore(tx)
  // Without a mail server nobody would ever read them.
  if (!sendsMail) return store.markTold()
  for (const { organizationId, name } of await store.due(now, mailsPerHour)) {
    const unsent = await store.take(organizationId)
    const recipients = await recipientsOf(tx, organizationId)
    let mails = 0
    for (const { email, siteIds } of recipients) {
      const theirs = unsent.filter(({ alert }) => siteIds === null || siteIds.includes(alert.siteId))
      if (theirs.length === 0) continue
      const mail = alertMail({ organization: name, unsent: theirs, link: baseUrl })
      await queueMail(tx, { organizationId, siteId: null, requestId: null, recipient: email, ...mail })
      mails += 1
    }
    await store.count(organizationId, mails, now)
  }
}

async function recipientsOf(tx: Db, organizationId: string): Promise<NonNullable<AlertRules['recipients']>> {
  const { recipients } = await createAlertStore(tx).rulesOf(organizationId)
  if (recipients) return recipients
  return (await administratorsOf(tx, organizationId)).map((email) => ({ email, siteIds: null }))
}

/** Writes one mail about everything that began or ended. */
export function alertMail({
  organization,
  unsent,
  link,
}: {
  organization: string
  unsent: readonly UnsentAlert[]
  link: string
}): { subject: string; body: string } {
  const began = unsent.filter(({ alert }) => alert.closedAt === null)
  const ended = unsent.filter(({ alert }) => alert.closedAt !== null)
  return {
    subject: subjectOf(unsent, began.length),
    body: [
      ...section('Began:', began),
      ...section('Ended:', ended),
      link,
      '',
      '-- ',
      `${short(organization)}: an administrator chooses who receives this message, under "Alerts and webhooks".`,
      '',
    ].join('\n'),
  }
}

function subjectOf(unsent: readonly UnsentAlert[], began: number): string {
  const [first] = unsent
  if (first && unsent.length === 1) {
    const sentence = describeAlert(first.alert).slice(0, -1)
    return first.alert.closedAt === null ? sentence : `Over: ${sentence}`
  }
  const ended = unsent.length - began
  if (ended === 0) return `${began} alerts began`
  return began === 0 ? `${ended} alerts ended` : `${began} alerts began, ${ended} ended`
}

/** One line for each cause. */
function section(title: string, list: readonly UnsentAlert[]): string[] {
  if (list.length === 0) return []
  const groups = groupAlerts(list.map(({ alert, siteName }) => ({ ...alert, siteName })))
  const more = groups.length - MOST_LISTED
  return [
    title,
    ...groups.slice(0, MOST_LISTED).map(lineOf),
    ...(more > 0 ? [`- and ${more} more, which the console lists.`] : []),
    '',
  ]
}

function lineOf({ lead, together, caused }: AlertGroup<Alert & { siteName: string }>): string {
  const until = lead.closedAt === null ? '' : ` until ${lead.closedAt}`
  const names = together.slice(0, MOST_NAMED).map(({ deviceName }) => short(deviceName ?? ''))
  const unnamed = together.length - names.length
  const others = unnamed > 0 ? [...names, `${unnamed} more`] : names
  const also = names.length > 0 ? ` The same on ${together.length} other controllers: ${others.join(', ')}.` : ''
  const explained = caused.length > 0 ? ` This explains ${caused.length} other alerts there.` : ''
  return `- ${short(lead.siteName)}: ${describeAlert(lead)} Since ${lead.beganAt}${until}.${also}${explained}${adviceOn(lead)}`
}

/** What is known, and what to do, where waiting would be wrong. */
const ADVICE: Readonly<Partial<Record<AlertKind, string>>> = {
  'controller-offline':
    'If only its connection is down, it ends its overrides on time. If it has no power, its equipment stays as it is, unless it has a failsafe: go there.',
  'not-restored':
    'Set the equipment back by hand if it matters now. If the controller cannot confirm it, close the hold in the console.',
}

/** Why an automatic export failed and what to do: the recipient may not be the person who set it. By how much a limit was missed. */
function adviceOn({ kind, details, closedAt }: Alert): string {
  if (closedAt !== null) return ''
  if (kind === 'limit-not-kept') {
    const { limitKw, meanKw, reason } = details
    return ` The mean was ${meanKw} kW, the limit ${limitKw} kW: ${reason}.`
  }
  if (kind === 'openadr-unreachable' || kind === 'openadr-refused') return ` Why: ${short(String(details.reason))}.`
  if (kind !== 'export-failed') return ADVICE[kind] === undefined ? '' : ` ${ADVICE[kind]}`
  const reason = Array.from(oneLine(String(details.reason)))
    .slice(0, LONGEST_REASON)
    .join('')
  return ` Why: ${reason}. Open Import / Export of the site, correct it and run it; the alert ends when a package has arrived.`
}

export function describeAlert({ kind, subject, deviceName }: Alert): string {
  const names = { subject: short(subject.name), device: short(deviceName ?? '') }
  return SENTENCES[kind].replace(/\{(subject|device)\}/g, (_, name: keyof typeof names) => names[name])
}

function short(text: string): string {
  const characters = Array.from(oneLine(text))
  return characters.length <= LONGEST_NAME ? characters.join('') : `${characters.slice(0, LONGEST_NAME - 1).join('')}…`
}
