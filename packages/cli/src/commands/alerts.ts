import { pages } from '@plantroom/client/pages'
import { ALERT_KINDS, type Alert, type AlertKind } from '@plantroom/contract/alerts'
import { wholeNumber } from '../arguments.ts'
import { administration } from '../clients.ts'
import { COMMON_FLAGS, flag, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { print, table } from '../output.ts'

const LARGEST_PAGE = 500

export const alerts = command('alerts', {
  group: 'history',
  about: 'list what is or was wrong with controllers, equipment, imports and automatic exports',
  notes: 'Uses the admin token. Rules and recipients are in the console, under "Alerts and webhooks".',
  verbs: {
    '': verb({
      about: 'list what is or was wrong, newest first',
      options: {
        ...COMMON_FLAGS,
        open: flag('only what is not over'),
        kind: valued('KIND', 'only this kind', { choices: ALERT_KINDS }),
        site: valued('SITE', 'only of this site, by id or name', { completes: 'site' }),
        device: valued('DEVICE', 'only of this device, by id or name', { completes: 'device' }),
        limit: valued('N', 'at most N; 50 by default'),
      },
      json: '[{kind, siteId, deviceId, deviceName, subject, details, beganAt, closedAt, …}]',
      async run(flags) {
        const limit = wholeNumber(flags.limit ?? '50', '--limit')
        const kind = flags.kind === undefined ? undefined : kindOf(flags.kind)
        const { client, orgId, siteId, deviceId } = await administration(flags)
        const filters = {
          open: flags.open ? ('true' as const) : undefined,
          kind,
          siteId: flags.site === undefined ? undefined : await siteId(flags.site),
          deviceId: flags.device === undefined ? undefined : await deviceId(flags.device),
        }
        const found: Alert[] = []
        let more = false
        const pageOf = (cursor: string | undefined) =>
          client.listAlerts({
            orgId,
            query: { ...filters, limit: Math.min(LARGEST_PAGE, limit - found.length), cursor },
          })
        for await (const page of pages(pageOf)) {
          found.push(...page.alerts)
          more = page.nextCursor !== null
          if (found.length >= limit) break
        }
        const older = more ? '\n… there are older alerts; use --limit N' : ''
        print(flags.json, found, () => `${alertTable(found)}${older}`)
      },
    }),
  },
})

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
