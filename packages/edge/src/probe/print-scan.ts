import type { CommissioningFile } from '@plantroom/contract/commissioning'
import type { EquipmentScan, FoundConnection } from '@plantroom/contract/discovery'
import { endpointOf } from '@plantroom/contract/endpoint'
import { shown } from '@plantroom/contract/shown'

const LONGEST_LINE = 1_000

/** Formats what a scan found for people: a line for each connection, datapoint and warning. */
export function formatScan({ connections, warnings }: EquipmentScan): string {
  const datapoints = connections.reduce((sum, connection) => sum + connection.datapoints.length, 0)
  return [
    ...connections.flatMap(linesOf),
    ...warnings.map((warning) => `! ${warning}`),
    connections.length === 0
      ? 'nothing was found'
      : `found: ${connections.length} connections, ${datapoints} datapoints`,
  ]
    .map(printable)
    .join('\n')
}

function linesOf(connection: FoundConnection): string[] {
  const { name, protocol, settings, datapoints, description, warnings } = connection
  const unit = settings.unitId === undefined ? '' : `, unit ${settings.unitId}`
  const head = `${name} (${protocol}, ${endpointOf({ protocol, settings })}${unit})`
  const width = datapoints.reduce((most, each) => Math.max(most, each.name.length), 0)
  return [
    description === '' ? head : `${head}: ${description}`,
    ...warnings.map((warning) => `  ! ${warning}`),
    ...datapoints.flatMap((each) => {
      const value = each.raw === null ? '' : `${each.raw}${each.scaler ? ' raw' : ` ${each.unit ?? ''}`}`.trim()
      return [
        `  ${each.name.padEnd(width)}  ${each.accessType}  ${value}`.trimEnd(),
        ...each.warnings.map((warning) => `    ! ${warning}`),
      ]
    }),
  ]
}

/** Returns a commissioning file as YAML, with what a person has to look at as comments. */
export function fileText(file: CommissioningFile, { connections, warnings }: EquipmentScan): string {
  const lines = [
    '# Found by plantroom edge scan. Edit it, then test it with "plantroom edge probe" and load it with "plantroom commission".',
    ...warnings.map((warning) => `# ! ${warning}`),
    `technicalSystem: ${JSON.stringify(file.technicalSystem)}`,
    connections.length === 0 ? 'connections: []' : 'connections:',
    ...file.connections.flatMap(({ name, protocol, settings, datapoints }, index) => {
      const found = connections[index]
      return [
        ...(found?.description ? [`  # ${found.description}`] : []),
        ...(found?.warnings ?? []).map((warning) => `  # ! ${warning}`),
        `  - name: ${JSON.stringify(name)}`,
        `    protocol: ${protocol}`,
        `    settings: ${JSON.stringify(settings)}`,
        datapoints.length === 0 ? '    datapoints: []' : '    datapoints:',
        ...datapoints.flatMap((datapoint, place) => {
          const { description, raw, warnings = [] } = found?.datapoints[place] ?? {}
          const held = raw === null || raw === undefined ? '' : `held ${raw}`
          const notes = [description, held].filter(Boolean).join('; ')
          return [
            ...(notes ? [`      # ${notes}`] : []),
            ...warnings.map((warning) => `      # ! ${warning}`),
            `      - ${JSON.stringify(datapoint)}`,
          ]
        }),
      ]
    }),
  ]
  // A comment ends with its line, whatever equipment says of itself.
  return `${lines.map((line) => (/^\s*#/.test(line) ? printable(line) : line)).join('\n')}\n`
}

// Text from equipment must not move the cursor, change the colours of the terminal, or begin a line.
const printable = (text: string) => shown(text, LONGEST_LINE)
