import type { CliConfig } from '../config.ts'
import { type DemoFile, demoFilePath } from './demo-file.ts'

/** A value within the envelope of a battery room datapoint that nothing else controls. */
const OVERRIDE = "dr override 'Charge power' 20 --for 1m"

/** Returns the text that a demo prints: everything a person needs to try it, ready to paste. `command` starts our programs. */
export function banner(file: DemoFile, config: CliConfig, command = './plantroom'): string {
  const connection = file.connections[0]
  const certificate = config.tlsCert ? ` --cacert ${config.tlsCert}` : ''
  const url = `${file.baseUrl}/api/orgs/${file.orgId}/edge-device-admin/${file.deviceId}/cmd/getTechnicalConnectionValues`
  const plantroom = [...settings(config), command].join(' ')
  return `
Plantroom is running. Press Ctrl-C to stop it; the data stays in ${config.folder}

  Console     ${file.baseUrl}   sign in: ${file.user.email}   ${file.user.password}

  API         ${file.baseUrl}/api   reference: ${file.baseUrl}/docs
  Broker      ${file.mqttUrl}
  API key     ${file.apiKey}
  Admin token ${file.adminToken}

  Organization ${file.orgId}
  Site         ${file.propertyId}
  Device       ${file.deviceId}
${file.connections.map(({ id, name, protocol, endpoint }) => `  Connection   ${id}   ${name} (${protocol}, ${endpoint})`).join('\n')}

The same as JSON: ${demoFilePath(config.folder)}

Read the live values of ${connection?.name}:

curl -sS${certificate} '${url}' -H 'X-Api-Key: ${file.apiKey}' -H 'Content-Type: application/json' -d '{"data":{"id":"${connection?.id}"}}'

In another terminal, hold the battery for a minute, list what the device did, and watch who holds what:

${plantroom} ${OVERRIDE}
${plantroom} reports
${plantroom} dr watch
`
}

/** Returns the settings that commands need to find this demo, if it is not in the default place. */
function settings({ environment, folder, tlsCert }: CliConfig): string[] {
  return [
    ...(environment.PLANTROOM_DATA ? [`PLANTROOM_DATA='${folder}'`] : []),
    ...(tlsCert ? [`PLANTROOM_TLS_CERT='${tlsCert}'`] : []),
  ]
}
