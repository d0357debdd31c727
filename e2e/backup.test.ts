import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { expect, onTestFinished, test } from 'vitest'
import { batteryRoom, withDatapoints } from './support/building.ts'
import { environment } from './support/environment.ts'
import { eventually } from './support/eventually.ts'
import { ownFolder } from './support/folder.ts'
import { reportsOf } from './support/override-reports.ts'
import { startPostgres } from './support/postgres.ts'
import { programOf } from './support/programs.ts'
import { plantroom, type Ran, run } from './support/run.ts'
import { type Stack, startStack } from './support/stack.ts'

const PROGRAM = programOf('cloud', 'backup')
const HOUR_MS = 3_600_000

async function ran(args: readonly string[], folder: string, settings: Record<string, string> = {}): Promise<Ran> {
  return run(process.execPath, [PROGRAM, ...args], { PLANTROOM_DATA: folder, ...settings })
}

async function succeed(...args: Parameters<typeof ran>): Promise<string> {
  const { code, stdout, stderr } = await ran(...args)
  expect(code, stderr).toBe(0)
  return stdout
}

/** Destroys everything that the cloud has, and leaves the controller alone. */
function destroyCloud(stack: Stack): void {
  for (const name of [
    'postgres',
    'files',
    'admin-token',
    'activity-key',
    'factor-key',
    'files-secret',
    'setup-token',
  ]) {
    rmSync(join(stack.folder, name), { recursive: true, force: true })
  }
}

/** The battery's charge power as the inverter has it. */
const chargePower = async (stack: Stack) => (await stack.equipment.holding(1, 100, 1)).readInt16BE(0) / 10

async function place(stack: Stack, value: number): Promise<string> {
  const now = Date.now()
  const setpoint = { datapointId: stack.datapointId('Charge power'), value, from: now, to: now + HOUR_MS }
  const { status, body } = await stack.partner.override(setpoint)
  expect(status, body.message).toBe(200)
  await eventually(async () => expect(await chargePower(stack)).toBe(value))
  return body.data.id
}

const entriesOf = (stack: Stack) => reportsOf(stack, { datapointId: stack.datapointId('Charge power') })

test.skipIf(!isCampaign)(
  'a controller that knows more than the restored cloud keeps everything it holds, and goes on',
  async () => {
    const stack = await startStack()
    onTestFinished(() => stack[Symbol.asyncDispose]())
    const files = ownFolder()
    onTestFinished(() => files[Symbol.asyncDispose]())
    const backup = join(files.path, 'backup')
    const first = await place(stack, 20)
    await eventually(async () => expect(await entriesOf(stack)).toHaveLength(1))
    await succeed(['backup', backup], stack.folder)
    expect(await succeed(['backup', 'verify', backup], stack.folder)).toContain('complete and undamaged')

    // All of this is confirmed to the controller, and the backup knows nothing of it.
    const second = await place(stack, 25)
    await eventually(async () => expect((await entriesOf(stack)).length).toBeGreaterThan(1))
    const room = batteryRoom(stack.simulator.ready.modbus.port)
    const changed = withDatapoints(room, 'Inverter', (datapoints) =>
      datapoints.map((datapoint) => ({ ...datapoint, ...(datapoint.name === 'Charge power' && { unit: 'kW' }) })),
    )
    await stack.commission(changed)
    await stack.cloud.stop()
    destroyCloud(stack)
    await succeed(['restore', backup], stack.folder)
    await stack.cloud.start()

    await eventually(async () => expect(await stack.online()).toBe(true))
    expect(await chargePower(stack)).toBe(25)
    expect((await stack.partner.values(stack.connectionId('Inverter'))).status).toBe(200)
    expect((await stack.partner.cancel(second)).body.data).toEqual({ success: true })
    await eventually(async () => expect(await chargePower(stack)).toBe(20))
    expect((await stack.partner.cancel(first)).body.data).toEqual({ success: true })
    const third = await place(stack, 30)
    // New entries arrive although the cloud has forgotten the ones before them.
    await eventually(async () => expect((await entriesOf(stack)).map(({ overrideId }) => overrideId)).toContain(third))
    const seqs = (await entriesOf(stack)).map(({ seq }) => seq)
    expect(new Set(seqs).size).toBe(seqs.length)
    expect(seqs.length).toBeLessThan(Math.max(...seqs))
    await stack.commission(changed)

    const audit = join(files.path, 'audit')
    const settings = {
      PLANTROOM_DATA: stack.folder,
      PLANTROOM_URL: stack.cloud.ready.baseUrl,
      PLANTROOM_ORG: stack.orgId,
    }
    expect((await plantroom(['audit', 'export', audit, '--device', stack.deviceId], settings)).code).toBe(0)
    const verdict = await plantroom(['audit', 'verify', audit])
    expect(verdict.code, 'the loss is not hidden').toBe(1)
    expect((await plantroom(['audit', 'export', `${audit}.activity`, '--activity'], settings)).code).toBe(0)
    const trust = (await plantroom(['audit', 'key'], settings)).stdout.trim()
    expect((await plantroom(['audit', 'verify', `${audit}.activity`, '--trust', trust])).code).toBe(0)
  },
)

/** What the backup does not have, in each place where a service keeps something. */
function changeFolder(folder: string): { isChanged(): boolean[] } {
  const file = join(folder, 'files', 'exports', 'site_later', 'job_later')
  const secret = join(folder, 'files-secret')
  const before = readFileSync(secret)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'later')
  const changed = Buffer.from(before).reverse()
  writeFileSync(secret, changed)
  return { isChanged: () => [existsSync(file), readFileSync(secret).equals(changed)] }
}

test.skipIf(!isCampaign)(
  'a restore that is killed leaves the data as they were, or is completed by the next one',
  async () => {
    const stack = await startStack()
    onTestFinished(() => stack[Symbol.asyncDispose]())
    const files = ownFolder()
    onTestFinished(() => files[Symbol.asyncDispose]())
    const backup = join(files.path, 'backup')
    await place(stack, 20)
    await succeed(['backup', backup], stack.folder)
    const isLater = async () =>
      (await stack.admin.listOrganizations()).organizations.some(({ name }) => name === 'Later')
    await repeat(1, async ({ random }) => {
      if (!(await isLater())) await stack.admin.addOrganization({ body: { name: 'Later' } })
      await stack.cloud.stop()
      const { isChanged } = changeFolder(stack.folder)
      const child = spawn(process.execPath, [PROGRAM, 'restore', backup, '--replace'], {
        env: environment({ PLANTROOM_DATA: stack.folder }),
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      // Half of the kills hit the last step, which is short.
      if (random.whole(0, 1) === 1) await lastStep(stack.folder, ended)
      await new Promise((resolve) => setTimeout(resolve, random.whole(0, isMarked(stack.folder) ? 50 : 5000)))
      child.kill('SIGKILL')
      await ended
      const started = await stack.cloud.start().then(
        () => undefined,
        (error: Error) => error.message,
      )
      if (started === undefined) {
        // Database, files and secrets are all from before the restore, or all from the backup.
        const later = await isLater()
        expect(isChanged()).toEqual([later, later])
      } else {
        expect(started).toContain('run plantroom restore with the same backup again')
        await succeed(['restore', backup], stack.folder)
        await stack.cloud.start()
        expect([await isLater(), ...isChanged()]).toEqual([false, false, false])
      }
      expect(await chargePower(stack)).toBe(20)
    })
    await eventually(async () => expect(await stack.online()).toBe(true))
  },
)

const isMarked = (folder: string) => existsSync(join(folder, 'restoring'))

/** Resolves when a restore has begun its last step, or has ended. */
async function lastStep(folder: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver && !isMarked(folder)) await new Promise((resolve) => setTimeout(resolve, 1))
}

test.skipIf(!isCampaign)('a backup moves from the embedded database to an external one and back', async () => {
  await using stack = await startStack()
  await using files = ownFolder()
  await using machine = ownFolder()
  await using last = ownFolder()
  await using server = ownFolder()
  const [one, two] = [join(files.path, 'one'), join(files.path, 'two')]
  await place(stack, 20)
  await succeed(['backup', one], stack.folder)
  await using postgres = await startPostgres(server.path)
  const external = { DATABASE_URL: postgres.databaseUrl }
  await succeed(['restore', one], machine.path, external)
  await succeed(['backup', two], machine.path, external)
  await succeed(['restore', two], last.path)
  const summary = async (args: readonly string[], folder: string) =>
    JSON.parse(await succeed([...args, '--json'], folder))
  const { createdAt: _, ...before } = await summary(['backup', 'verify', two], last.path)
  const { createdAt: __, ...after } = await summary(['backup', join(files.path, 'three')], last.path)
  expect(after).toEqual(before)
})
