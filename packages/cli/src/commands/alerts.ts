import { pages } from '@plantroom/client/pages'
import { ALERT_KINDS, type Alert, type AlertKind } from '@plantroom/contract/alerts'
import { wholeNumber } from '../arguments.ts'
import { operatorClient, organizationOf } from '../clients.ts'
import { COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'

const LARGEST_PAGE = 500

export const alerts: Command = {
  usage: `plantroom alerts [--open]               list what is or was wrong, newest first
                                        --open            only what is not over
                                        --kind KIND       for example controller-offline
                                        --site ID
                                        --device ID
                                        --limit N         print at most N (default 50)

Uses the admin token. Rules and recipients are in the console, under "Alerts and webhooks".`,
  async run(args) {
    const { values: flags, positionals: given } = parse(args, {
      ...COMMON_FLAGS,
      open: { type: 'boolean' },
      kind: { type: 'string' },
      site: { type: 'string' },
      device: { type: 'string' },
      limit: { type: 'string' },
    })
    positionals(given)
    const limit = wholeNumber(flags.limit ?? '50', '--limit')
    const filters = {
      open: flags.open ? ('true' as const) : undefined,
      kind: flags.kind === undefined ? undefined : kindOf(flags.kind),
      siteId: flags.site,
      deviceId: flags.device,
    }
    const { client, config } = operatorClient(flags)
    const orgId = organizationOf(config)
    const found: Alert[] = []
    let more = false
    const pageOf = (cursor: string | undefined) =>
      client.listAlerts({ orgId, query: { ...filters, limit: Math.min(LARGEST_PAGE, limit - found.length), cursor } })
    for await (const page of pages(pageOf)) {
      found.push(...page.alerts)
      more = page.nextCursor !== null
      if (found.length >= limit) break
    }
    const older = more ? '\n… there are older alerts; use --limit N' : ''
    print(flags.json, found, () => `${alertTable(found)}${older}`)
  },
}

/** Formats alerts as a table. */
export function alertTable(found: readonly Alert[]): string {
  const header = ['KIND', 'SITE', 'DEVICE', 'ABOUT', 'SINCE', 'UNTIL', 'REASON']
  const row = ({ kind, siteId, deviceName, subject, details, beganAt, closedAt }: Alert) => [
    ...[kind, siteId, deviceName ?? '-', subject.name, beganAt, closedAt ?? 'open'],
    typeof details.reason === 'string' ? details.reason : '-',
  ]
  return table(header, found.map(row), 'no alerts')
}

function kindOf(text: string): AlertKind {
  const kind = ALERT_KINDS.find((one) => one === text)
  if (kind) return kind
  throw new UsageError(`--kind must be one of ${ALERT_KINDS.join(', ')}, not ${text}`)
}
