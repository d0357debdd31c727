import { wholeNumber } from '../arguments.ts'
import { operatorClient } from '../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'

export const org: Command = {
  usage: `plantroom org add NAME      add an organization
plantroom org list          list organizations
plantroom org update ID --require-second-factor on|off
                            require a second factor of every member, or stop requiring it
plantroom org update ID --keep-measurements DAYS|forever
                            delete measurements that are older; nobody can restore them`,
  run: byVerb({
    async add(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      const { NAME } = positionals(given, 'NAME')
      const added = await operatorClient(values).client.addOrganization({ body: { name: NAME } })
      print(values.json, added, () => `organization ${added.id}`)
    },
    async update(args) {
      const { values, positionals: given } = parse(args, {
        ...COMMON_FLAGS,
        'require-second-factor': { type: 'string' },
        'keep-measurements': { type: 'string' },
      })
      const { ID } = positionals(given, 'ID')
      const body = {
        requireSecondFactor: isOn(values['require-second-factor']),
        measurementDays: daysOf(values['keep-measurements']),
      }
      if (body.requireSecondFactor === undefined && body.measurementDays === undefined) {
        throw new UsageError('give --require-second-factor on|off or --keep-measurements DAYS|forever')
      }
      const updated = await operatorClient(values).client.updateOrganization({ orgId: ID, body })
      print(values.json, updated, () => {
        const kept = updated.measurementDays === null ? 'forever' : `${updated.measurementDays} days`
        return `organization ${updated.id}: requires a second factor: ${updated.requireSecondFactor ? 'on' : 'off'}; keeps measurements: ${kept}`
      })
    },
    async list(args) {
      const { values, positionals: given } = parse(args, COMMON_FLAGS)
      positionals(given)
      const { organizations } = await operatorClient(values).client.listOrganizations()
      const rows = organizations.map(({ id, name }) => [id, name])
      print(values.json, organizations, () =>
        table(['ID', 'NAME'], rows, 'no organizations yet: plantroom org add NAME'),
      )
    },
  }),
}

function isOn(text: string | undefined): boolean | undefined {
  if (text === undefined || text === 'on' || text === 'off') return text === undefined ? undefined : text === 'on'
  throw new UsageError(`--require-second-factor must be on or off, not ${text}`)
}

function daysOf(text: string | undefined): number | null | undefined {
  if (text === undefined || text === 'forever') return text === undefined ? undefined : null
  return wholeNumber(text, '--keep-measurements')
}
