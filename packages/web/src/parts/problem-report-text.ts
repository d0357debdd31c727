import type { ProblemReport } from '@plantroom/contract/api'

/** What the browser adds to the report of the service. */
export interface BrowserFacts {
  consoleVersion: string
  /** Without the query, which may contain what a person searched for. */
  page: string
  browser: string
  language: string
  timeZone: string
  window: string
}

/**
 * Returns a problem report as plain text, in English and in UTC: people of another company read it, beside logs.
 * `null` and empty lists are said, so that nobody has to guess what was left out.
 */
export function problemReportText(report: ProblemReport, facts: BrowserFacts): string {
  const { service, site, controllers, controllersLeftOut, alerts, log } = report
  return [
    `Plantroom problem report, ${report.at}`,
    '',
    ...section('Versions', [
      `service ${service.version} (${service.runtime}, started ${service.startedAt})`,
      `console ${facts.consoleVersion}`,
    ]),
    ...section('Browser', [
      `page ${facts.page}`,
      `browser ${facts.browser}`,
      `language ${facts.language}, time zone ${facts.timeZone}, window ${facts.window}`,
    ]),
    ...section('Site', [`${site.id} of ${site.organizationId}, time zone ${site.timeZone}`]),
    ...section('Controllers', [
      ...controllers.flatMap(controllerLines),
      ...(controllersLeftOut > 0 ? [`and ${controllersLeftOut} more`] : []),
    ]),
    ...section('Alerts, newest first', alerts.map(alertLine)),
    ...section(
      'Log of the service about this site',
      log === null ? ['only for administrators'] : log.map(({ at, level, message }) => `${at} ${level} ${message}`),
    ),
  ].join('\n')
}

const section = (title: string, lines: readonly string[]) => [
  title,
  ...(lines.length === 0 ? ['  none'] : lines.map((line) => `  ${line}`)),
  '',
]

const STATUS: Readonly<Record<number, string>> = { 1: 'connected', 2: 'connecting', 0: 'disconnected', [-1]: 'failed' }

function controllerLines(controller: ProblemReport['controllers'][number]): string[] {
  const { id, name, version, online, since, health, state } = controller
  const presence = since === null ? 'never seen' : `${online ? 'online since' : 'offline, last seen'} ${since}`
  return [
    `${id} "${name}": ${presence}, version ${version ?? 'unknown'}`,
    ...(health ? healthLines(health) : ['  health: unknown']),
    ...(state
      ? [
          `  state of ${state.receivedAt}: ${state.held} held, ${state.troubled} in trouble`,
          ...state.connections.map(({ id: connection, status }) => `  connection ${connection}: ${STATUS[status]}`),
        ]
      : ['  state: unknown']),
  ]
}

function healthLines(health: NonNullable<ProblemReport['controllers'][number]['health']>): string[] {
  const trouble = (what: string, list: typeof health.connections) =>
    list.map(({ id, name, seconds, reason }) => `  ${what} ${id} "${name}" for ${seconds} s: ${reason ?? 'no reason'}`)
  return [
    `  health of ${health.receivedAt}: clock ${health.clockOffsetMs ?? '?'} ms ahead, ${health.freeBytes ?? '?'} bytes free`,
    ...trouble('connection down', health.connections),
    ...trouble('setpoint not taken', health.notTaken),
    ...trouble('not restored', health.notRestored),
    ...(health.droppedMeasurements > 0 ? [`  ${health.droppedMeasurements} measurements dropped lately`] : []),
  ]
}

function alertLine({ kind, deviceId, subjectId, openedAt, closedAt }: ProblemReport['alerts'][number]): string {
  return `${openedAt} to ${closedAt ?? 'now'}: ${kind} ${subjectId}${deviceId ? ` of ${deviceId}` : ''}`
}
