import type { CliConfig } from '../config.ts'
import type { DemoFile } from './demo-file.ts'
import { demoFilePath } from './demo-file.ts'

/** What a person needs to try the demo, ready to be copied. */
export function banner(file: DemoFile, config: CliConfig): string {
  const connection = file.connections[0]
  const certificate = config.tlsCert ? ` --cacert ${config.tlsCert}` : ''
  const url = `${file.baseUrl}/api/orgs/${file.orgId}/edge-device-admin/${file.deviceId}/cmd/getTechnicalConnectionValues`
  return `
Plantroom is running. Ctrl-C ends it; the data stays in ${config.folder}

  API         ${file.baseUrl}          reference: ${file.baseUrl}/docs
  Broker      ${file.mqttUrl}
  Login       ${file.user.email}   ${file.user.password}
  API key     ${file.apiKey}
  Admin token ${file.adminToken}

  Organization ${file.orgId}
  Site         ${file.propertyId}
  Device       ${file.deviceId}
${file.connections.map(({ id, name, protocol, endpoint }) => `  Connection   ${id}   ${name} (${protocol}, ${endpoint})`).join('\n')}

The same as JSON: ${demoFilePath(config.folder)}

Read the live values of ${connection?.name}:

curl -sS${certificate} '${url}' -H 'X-Api-Key: ${file.apiKey}' -H 'Content-Type: application/json' -d '{"data":{"id":"${connection?.id}"}}'

or ./plantroom dr watch
`
}
