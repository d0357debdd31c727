import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { connectAsync } from 'mqtt'
import { afterEach, expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

const PORTS = ['MODBUS', 'MQTT', 'OBIX', 'BACNET'].map((name) => `PLANTROOM_SIMULATOR_${name}_PORT`)
const ANY_PORTS = Object.fromEntries(PORTS.map((name) => [name, '0']))

function simulate(args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...ANY_PORTS, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  started.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }))
  return { child, ended, ready: answerOf(child).then((message) => (message as Ready).ready) }
}

const answerOf = (child: ChildProcess) => once(child, 'message').then(([message]) => message as unknown)

interface Ready {
  ready: { modbus: { host: string; port: number }; mqtt: { url: string }; obix: { url: string } }
}

test.each(['SIGINT', 'SIGTERM'] as const)('prints its addresses, and exits cleanly on %s', async (signal) => {
  const { child, ended, ready } = simulate()
  const { modbus, mqtt, obix } = await ready
  expect(modbus).toEqual({ host: '127.0.0.1', port: expect.any(Number) })
  expect(mqtt.url).toMatch(/^mqtt:\/\/127\.0\.0\.1:\d+$/)
  expect(obix.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/obix\/$/)
  child.kill(signal)
  const { code, stdout, stderr } = await ended
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `simulated building: Modbus TCP on 127.0.0.1:${modbus.port}, MQTT on ${mqtt.url}, oBIX on ${obix.url}\n`,
    stderr: '',
  })
})

test('serves one building on all protocols, and exits cleanly while in use', async () => {
  const { child, ended, ready } = simulate()
  const { mqtt, obix } = await ready
  const client = await connectAsync(mqtt.url, { reconnectPeriod: 0 })
  client.on('error', () => {})
  const heard = new Promise<Buffer>((resolve) => client.once('message', (_topic, payload) => resolve(payload)))
  await client.subscribeAsync('hp/flow')
  expect(String(await heard)).toBe('{"value":35,"unit":"°C"}')
  expect(await (await fetch(obix.url)).text()).toContain(`href="${obix.url}"`)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  await client.endAsync(true)
})

test('exits when its parent has exited', async () => {
  const { child, ready } = simulate()
  await ready
  // A child whose channel was closed from this side emits no `close`.
  const exited = once(child, 'exit')
  child.disconnect()
  expect((await exited)[0]).toBe(0)
})

test.runIf(isCampaign)('applies configured faults from the start', async () => {
  const { ready } = simulate([], { PLANTROOM_SIMULATOR_FAULTS: 'obix:err' })
  expect(await (await fetch((await ready).obix.url)).text()).toContain('<err')
})

test('applies and clears faults on request of its parent', async () => {
  const { child, ready } = simulate()
  const { obix } = await ready
  const lobby = async () => await (await fetch(obix.url)).text()
  async function order(message: object) {
    const answer = answerOf(child)
    child.send(message)
    return await answer
  }
  expect(await order({ faults: ['obix:err', 'mqtt:silent'] })).toEqual({ faults: ['obix:err', 'mqtt:silent'] })
  expect(await lobby()).toContain('<err')
  expect(await order({ faults: ['obix:sleepy'] })).toEqual({
    problems: [expect.stringContaining('obix:sleepy is not')],
  })
  expect(await order({ faults: 'obix:late' })).toEqual({ problems: [expect.any(String)] })
  expect(await lobby()).toContain('<err')
  expect(await order({ faults: [] })).toEqual({ faults: [] })
  expect(await lobby()).toContain('obix:Lobby')
})

test.each([
  ['Modbus TCP', 'PLANTROOM_SIMULATOR_MODBUS_PORT'],
  ['MQTT', 'PLANTROOM_SIMULATOR_MQTT_PORT'],
  ['oBIX', 'PLANTROOM_SIMULATOR_OBIX_PORT'],
])('reports in one line that its port for %s is in use', async (name, setting) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { code, stderr } = await simulate([], { [setting]: String(port) }).ended
  other.close()
  expect(code).toBe(1)
  expect(stderr).toBe(
    `plantroom simulate: cannot listen for ${name} on 127.0.0.1:${port}: the port is taken; ` +
      `set ${setting} to another one, or to 0 for any that is free\n`,
  )
})

test('reports invalid settings in one line', async () => {
  const { code, stderr } = await simulate([], { PLANTROOM_LOG_LEVEL: 'loud' }).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^plantroom simulate: Bad configuration: PLANTROOM_LOG_LEVEL: loud .*\n$/)
})

test('prints its usage, and accepts no arguments', async () => {
  const help = await simulate(['--help']).ended
  expect(help.code).toBe(0)
  expect(help.stdout).toContain('usage: plantroom simulate')
  expect((await simulate(['--fast']).ended).code).toBe(2)
})

test('documents every setting that it reads', async () => {
  const { stdout } = await simulate(['--help']).ended
  for (const name of [...PORTS, ...['OBIX_LOGIN', 'SEED', 'FAULTS'].map((end) => `PLANTROOM_SIMULATOR_${end}`)]) {
    expect(stdout).toContain(name)
  }
})

test.each([
  ['modbus-relay-board', 'modbus-tcp'],
  ['heidelberg-energy-control', 'modbus-rtu-tcp'],
  ['sunspec-inverter', 'sunspec'],
  ['bacnet-vav', 'bacnet-ip'],
  ['shelly-gen2-switch', 'mqtt'],
])('serves the equipment of %s instead, and says how a controller reaches it', async (name, protocol) => {
  const { child, ended, ready } = simulate(['--template', name])
  const { answers } = (await ready) as unknown as { answers: Record<string, string | number> }
  expect(answers).toMatchObject({ protocol })
  child.kill('SIGTERM')
  const { code, stdout } = await ended
  const set = Object.entries(answers).map(([key, value]) => `--set ${key}=${value}`)
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(`: plantroom commission --from-template ${name} ${set.join(' ')}\n$`),
  ])
})

test('says that there is no such template', async () => {
  const { code, stderr } = await simulate(['--template', 'no-such']).ended
  expect([code, stderr]).toEqual([1, expect.stringContaining('there is no template no-such')])
})

test('reports in one line that the port of a template is in use', async () => {
  const first = simulate(['--template', 'bacnet-vav'])
  const { port } = ((await first.ready) as unknown as { answers: { port: number } }).answers
  const { code, stderr } = await simulate(['--template', 'bacnet-vav'], {
    PLANTROOM_SIMULATOR_BACNET_PORT: String(port),
  }).ended
  expect([code, stderr]).toEqual([1, expect.stringContaining('set PLANTROOM_SIMULATOR_BACNET_PORT to another one')])
})
