import { wholeNumber } from '../arguments.ts'
import { operatorClient } from '../clients.ts'
import { COMMON_FLAGS, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { createNames, listDevices } from '../names.ts'
import { details, print, printable, table } from '../output.ts'
import { askForYes, confirmOf, YES } from './confirm.ts'

const { org: _org, ...FLAGS } = COMMON_FLAGS
const ORG = { name: 'ORG', about: 'by id or name', completes: 'organization' } as const
const ON_OR_OFF = ['on', 'off'] as const

export const org = command('org', {
  group: 'administer',
  about: 'manage organizations',
  verbs: {
    add: verb({
      about: 'add an organization',
      arguments: [{ name: 'NAME' }],
      options: FLAGS,
      json: '{id, name}',
      async run(flags, { NAME }) {
        const added = await operatorClient(flags).client.addOrganization({ body: { name: NAME } })
        print(flags.json, added, () => `organization ${added.id}`)
      },
    }),
    list: verb({
      about: 'list organizations',
      options: FLAGS,
      json: '[{id, name, createdAt}]',
      async run(flags) {
        const { organizations } = await operatorClient(flags).client.listOrganizations()
        const rows = organizations.map(({ id, name }) => [id, name])
        print(flags.json, organizations, () =>
          table(['ID', 'NAME'], rows, 'no organizations yet: plantroom org add NAME'),
        )
      },
    }),
    show: verb({
      about: 'show one organization: its settings, and how much it has',
      arguments: [ORG],
      options: FLAGS,
      json: '{id, name, requireSecondFactor, measurementDays, sites, devices, members, keys}',
      async run(flags, { ORG }) {
        const { client } = operatorClient(flags)
        const orgId = await createNames(client).organization(ORG)
        const found = await client.getOrganization({ orgId })
        const { sites } = await client.listSites({ orgId })
        const devices = await listDevices(client, orgId)
        const { members } = await client.listMembers({ orgId })
        const { keys } = await client.listKeys({ orgId })
        const active = keys.filter(({ state }) => state === 'active')
        const counts = { sites: sites.length, devices: devices.length, members: members.length, keys: active.length }
        print(flags.json, { ...found, ...counts }, () =>
          details([
            ['ID', orgId],
            ['Name', found.name],
            ['Second factor', found.requireSecondFactor ? 'required' : 'optional'],
            ['Measurements', `kept ${daysText(found.measurementDays)}`],
            ['Sites', sites.map(({ name }) => name).join(', ') || 'none'],
            ['Devices', String(counts.devices)],
            ['Members', String(counts.members)],
            ['API keys', String(counts.keys)],
          ]),
        )
      },
    }),
    rename: verb({
      about: 'rename an organization',
      arguments: [ORG, { name: 'NAME', about: 'the new name' }],
      options: FLAGS,
      json: '{id, name, requireSecondFactor, measurementDays}',
      async run(flags, { ORG, NAME }) {
        const { client } = operatorClient(flags)
        const orgId = await createNames(client).organization(ORG)
        const renamed = await client.updateOrganization({ orgId, body: { name: NAME } })
        print(flags.json, renamed, () => printable(`organization ${renamed.id}: ${renamed.name}`))
      },
    }),
    remove: verb({
      about: 'remove an organization that has no sites, with its members, API keys and audit',
      arguments: [ORG],
      options: { ...FLAGS, yes: YES },
      json: '{id, removed}',
      async run(flags, { ORG }) {
        const { client } = operatorClient(flags)
        const orgId = await createNames(client).organization(ORG)
        await client.removeOrganization({ orgId, query: confirmOf(flags) }).catch(askForYes)
        print(flags.json, { id: orgId, removed: true }, () => `organization ${orgId} removed`)
      },
    }),
    'test-mail': verb({
      about: 'send a test mail through the queue that all mail takes; at most 5 an hour',
      arguments: [ORG, { name: 'EMAIL' }],
      options: {
        ...FLAGS,
        site: valued('SITE', 'the site whose outbox lists the mail, by id or name', { completes: 'site' }),
      },
      json: '{recipient, mailId, siteId}',
      async run(flags, { ORG, EMAIL }) {
        const { client } = operatorClient(flags)
        const names = createNames(client)
        const orgId = await names.organization(ORG)
        const siteId = flags.site === undefined ? undefined : await names.site(orgId, flags.site)
        const sent = await client.sendTestMail({ orgId, body: { to: EMAIL, ...(siteId && { siteId }) } })
        const where = siteId
          ? 'the mail outbox of the site shows whether the mail server took it'
          : 'the log of the worker says when the mail server refuses it'
        print(flags.json, sent, () => printable(`a test mail to ${sent.recipient} is queued; ${where}`))
      },
    }),
    update: verb({
      about: 'change what an organization requires and keeps',
      arguments: [ORG],
      options: {
        ...FLAGS,
        'require-second-factor': valued('on|off', 'require a second factor of every member, or stop requiring it', {
          choices: ON_OR_OFF,
        }),
        'keep-measurements': valued(
          'DAYS|forever',
          'delete measurements that are older, within an hour; they cannot be restored',
        ),
      },
      json: '{id, name, requireSecondFactor, measurementDays}',
      async run(flags, { ORG }) {
        const body = {
          requireSecondFactor: isOn(flags['require-second-factor']),
          measurementDays: daysOf(flags['keep-measurements']),
        }
        if (body.requireSecondFactor === undefined && body.measurementDays === undefined) {
          throw new UsageError('give --require-second-factor on|off or --keep-measurements DAYS|forever')
        }
        const { client } = operatorClient(flags)
        const orgId = await createNames(client).organization(ORG)
        const updated = await client.updateOrganization({ orgId, body })
        print(flags.json, updated, () => {
          const factor = updated.requireSecondFactor ? 'on' : 'off'
          return `organization ${updated.id}: requires a second factor: ${factor}; keeps measurements: ${daysText(updated.measurementDays)}`
        })
      },
    }),
  },
})

const daysText = (days: number | null) => (days === null ? 'forever' : `${days} days`)

function isOn(text: string | undefined): boolean | undefined {
  if (text === undefined || text === 'on' || text === 'off') return text === undefined ? undefined : text === 'on'
  throw new UsageError(`--require-second-factor must be on or off, not ${text}`)
}

function daysOf(text: string | undefined): number | null | undefined {
  if (text === undefined || text === 'forever') return text === undefined ? undefined : null
  return wholeNumber(text, '--keep-measurements')
}
