import { operatorClient, organizationOf } from '../clients.ts'
import { COMMON_FLAGS, type Command, parse, positionals } from '../command.ts'
import { readCommissioningFile } from '../commissioning-file.ts'
import { print, printable } from '../output.ts'

export const commission: Command = {
  usage: `plantroom commission DEVICE FILE        load a commissioning file (JSON or YAML) onto a device and print the ids`,
  async run(args) {
    const { values, positionals: given } = parse(args, COMMON_FLAGS)
    const { DEVICE, FILE } = positionals(given, 'DEVICE', 'FILE')
    const file = await readCommissioningFile(FILE)
    const { client, config } = operatorClient(values)
    const result = await client.commission({ orgId: organizationOf(config), deviceId: DEVICE, body: file })
    for (const { path, message } of result.warnings ?? []) console.error(printable(`warning: ${path}: ${message}`))
    print(values.json, result, () =>
      [
        `${result.technicalSystemId}  ${file.technicalSystem}`,
        ...result.connections.flatMap((connection) => [
          `  ${connection.id}  ${connection.name}`,
          ...connection.datapoints.map((datapoint) => `    ${datapoint.id}  ${datapoint.name}`),
        ]),
      ]
        .map(printable)
        .join('\n'),
    )
  },
}
