import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Certificate, makeCertificate } from './support/certificate.ts'
import { eventually } from './support/eventually.ts'
import { connectMqtt } from './support/mqtt-client.ts'
import { plantroom, run } from './support/run.ts'
import { partnerShell } from './support/shell.ts'
import { type Stack, startStack } from './support/stack.ts'

let stack: Stack
let certificate: Certificate

beforeAll(async () => {
  stack = await startStack()
  certificate = await makeCertificate(stack.folder)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** Polls with curl as a partner does; `trust` are curl's certificate options. */
function poll(baseUrl: string, ...trust: string[]) {
  const path = `/api/orgs/${stack.orgId}/edge-device-admin/${stack.deviceId}/cmd/getTechnicalConnectionValues`
  const headers = ['-H', `X-Api-Key: ${stack.apiKey}`, '-H', 'Content-Type: application/json']
  const body = JSON.stringify({ data: { id: stack.connectionId('Inverter') } })
  return run('curl', ['-sS', ...trust, `${baseUrl}${path}`, ...headers, '-d', body])
}

const credential = () => ({ username: stack.deviceId, password: stack.deviceSecret })

describe('a cloud without a certificate', () => {
  test('warns that only this machine can reach it', () => {
    expect(stack.cloud.ready.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/)
    expect(stack.cloud.output()).toContain('only this machine can reach the service')
  })

  test.each(['PLANTROOM_TLS_CERT', 'PLANTROOM_TLS_KEY'] as const)('does not start with %s alone', async (name) => {
    const path = name === 'PLANTROOM_TLS_CERT' ? certificate.certFile : certificate.keyFile
    const settings = { PLANTROOM_DATA: `${stack.folder}/none`, PLANTROOM_PORT: '0', PLANTROOM_MQTT_PORT: '0' }
    const { code, stdout, stderr } = await plantroom(['cloud'], { ...settings, [name]: path })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^plantroom cloud: .*PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY: set both or none\n$/)
  })
})

describe('a cloud with a certificate', () => {
  beforeAll(async () => {
    await stack.cloud.stop()
    await stack.cloud.start({
      PLANTROOM_TLS_CERT: certificate.certFile,
      PLANTROOM_TLS_KEY: certificate.keyFile,
    })
  })

  test('serves HTTPS, and nothing over plain HTTP or to clients that do not trust it', async () => {
    const { baseUrl } = stack.cloud.ready
    expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:/)
    const { code, stdout } = await run('curl', ['-sS', '--cacert', certificate.certFile, `${baseUrl}/healthz`])
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: expect.anything() })
    expect((await run('curl', ['-sS', `${baseUrl}/healthz`])).stderr).toContain('certificate')
    expect((await run('curl', ['-sS', `${baseUrl.replace('https', 'http')}/healthz`])).code).not.toBe(0)
  })

  test('is trusted by the command line on its machine, which knows its address and gets a token from it', async () => {
    const { code, stdout, stderr } = await plantroom(['org', 'list', '--json'], { PLANTROOM_DATA: stack.folder })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(stack.orgId)
  })

  test('has a broker that speaks TLS only', async () => {
    const { mqttUrl } = stack.cloud.ready
    expect(mqttUrl).toMatch(/^mqtts:\/\/127\.0\.0\.1:/)
    await stack.edge.stop()
    await expect(connectMqtt(mqttUrl.replace('mqtts', 'mqtt'), credential())).rejects.toThrow()
    await expect(connectMqtt(mqttUrl, credential())).rejects.toThrow(/self[- ]signed/)
    const trusting = await connectMqtt(mqttUrl, credential(), { ca: readFileSync(certificate.certFile) })
    await trusting.endAsync()
  })

  test('is not trusted by a controller without the certificate', async () => {
    await stack.edge.start()
    await eventually(() => expect(stack.edge.output()).toMatch(/self[- ]signed.*the broker cannot be used/))
    await stack.edge.stop()
  })

  test('carries a poll from HTTPS to the equipment and back', async () => {
    await stack.edge.start({ NODE_EXTRA_CA_CERTS: certificate.certFile })
    await eventually(async () => {
      const { stdout } = await poll(stack.cloud.ready.baseUrl, '--cacert', certificate.certFile)
      expect(JSON.parse(stdout)).toMatchObject({
        data: { connectionId: stack.connectionId('Inverter'), status: 1 },
      })
    })
    const { code, stdout, stderr } = await plantroom(['dr', 'values', stack.connectionId('Inverter'), '--json'], {
      ...partnerShell(stack),
      NODE_EXTRA_CA_CERTS: certificate.certFile,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ status: 1 })
  })
})
