import { API } from '@plantroom/contract/api'
import { COMMANDS, PUBLIC_COMMANDS } from '@plantroom/contract/commands'
import { ERRORS } from '@plantroom/contract/failure'
import type { Access, Route, Tag } from '@plantroom/contract/route'
import type { Schema } from '@plantroom/contract/schema'
import { settingsTables } from './settings-tables.ts'
import { table } from './table.ts'

const BETWEEN = /(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- \/generated -->)/g

/** A page of the reference with its generated tables up to date. */
export function fillTables(page: string, tables = TABLES): string {
  return page.replace(BETWEEN, (_all, begin: string, name: string, end: string) => {
    const table = tables[name]
    if (!table) throw new Error(`no generated table is called ${name}; there are ${Object.keys(tables).join(', ')}`)
    return `${begin}\n${table()}\n\n${end}`
  })
}

const TABLES: Readonly<Record<string, () => string>> = {
  commands: commandTable,
  errors: errorTable,
  'fleet-routes': () => routeTable(({ tag }) => tag === 'Fleet dispatches'),
  'limit-routes': () => routeTable(({ tag }) => tag === 'Power limits'),
  'openadr-routes': () => routeTable(({ tag }) => tag === 'OpenADR'),
  'portfolio-routes': () => routeTable(({ tag }) => tag === 'Portfolio'),
  'history-routes': () => routeTable(({ tag }) => tag === 'History'),
  'package-routes': () => routeTable(({ tag, path }) => tag === REQUESTS && isAboutPackages(path)),
  'request-routes': () => routeTable(({ tag, path }) => tag === REQUESTS && !isAboutPackages(path)),
  'administration-routes': () => routeTable(({ tag }) => tag === 'Administration'),
  'alert-routes': () => routeTable(({ tag }) => tag === 'Alerts and webhooks'),
  'session-routes': () => routeTable(({ tag }) => tag === 'Sign in'),
  'operation-routes': () => routeTable(({ tag }) => tag === 'Operation'),
  ...settingsTables,
}
const REQUESTS: Tag = 'Maintenance requests'
const SITE = '/api/orgs/{orgId}/properties/{propertyId}'
const isAboutPackages = (path: string) => /\/ticket-packages|^\/(uploads|downloads|schemas)/.test(path)

function commandTable(): string {
  const rows = PUBLIC_COMMANDS.map((name) => {
    const { request, reply, summary } = COMMANDS[name]
    return [`\`${name}\``, summary, fields(request), fields(reply)]
  })
  return table(['command', 'does', '`data`', 'reply'], rows)
}

function errorTable(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, cause }]) => [String(status), `\`${code}\``, cause])
  return table(['status', 'code', 'cause'], rows)
}

function routeTable(isIncluded: (route: Route) => boolean): string {
  const rows = Object.values(API as Readonly<Record<string, Route>>)
    .filter(isIncluded)
    .map((route) => [`\`${route.method} ${shortened(route.path)}\``, route.summary, callers(route.access)])
  return table(['route', 'does', 'for'], rows)
}

const shortened = (path: string) => path.replace(/:(\w+)/g, '{$1}').replace(SITE, '{site}')

/** The fields of an object, optional ones with a question mark. */
function fields({ properties = {}, required = [] }: Schema): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `\`${name}\`` : `\`${name}\`?`))
    .join(', ')
}

function callers(access: Access): string {
  if (access.by === 'anyone') return 'anyone'
  if (access.by === 'session') return 'signed-in people'
  const key =
    'permission' in access && access.permission.length > 0
      ? [
          [access.permission]
            .flat()
            .map((one) => `\`${one}\``)
            .join(' or '),
        ]
      : []
  const operator = access.by === 'key' ? [] : ['operator']
  const people = access.role ? [`${access.role}s`] : []
  return [...key, ...operator, ...people].join(', ')
}
