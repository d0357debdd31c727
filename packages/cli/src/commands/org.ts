import { wholeNumber } from '../arguments.ts'
import { operatorClient } from '../clients.ts'
import { COMMON_FLAGS, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { createNames } from '../names.ts'
import { print, table } from '../output.ts'

const { org: _org, ...FLAGS } = COMMON_FLAGS
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
    update: verb({
      about: 'change what an organization requires and keeps',
      arguments: [{ name: 'ORG', about: 'by id or name', completes: 'organization' }],
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
          const kept = updated.measurementDays === null ? 'forever' : `${updated.measurementDays} days`
          return `organization ${updated.id}: requires a second factor: ${updated.requireSecondFactor ? 'on' : 'off'}; keeps measurements: ${kept}`
        })
      },
    }),
  },
})

function isOn(text: string | undefined): boolean | undefined {
  if (text === undefined || text === 'on' || text === 'off') return text === undefined ? undefined : text === 'on'
  throw new UsageError(`--require-second-factor must be on or off, not ${text}`)
}

function daysOf(text: string | undefined): number | null | undefined {
  if (text === undefined || text === 'forever') return text === undefined ? undefined : null
  return wholeNumber(text, '--keep-measurements')
}
