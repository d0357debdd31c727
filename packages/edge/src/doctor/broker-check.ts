import { type Clock, sleep } from '@plantroom/base/clock'
import { checkOffset, type Finding, ok, problem, reasonOf, warning } from '@plantroom/base/diagnosis'
import { newId } from '@plantroom/base/ids'
import { brokerAddress } from '@plantroom/contract/broker-url'
import { deviceFilters, parseCloudTopic, topics } from '@plantroom/contract/topics'
import { connectAsync, type MqttClient } from 'mqtt'

const STEP_MS = 6_000
const ANSWER_MS = 3_000

interface Login {
  mqttUrl: string
  deviceId: string
  deviceSecret: string
}

/** Signs in as the controller, subscribes and compares the clock with the cloud's. Announces no presence. */
export async function checkLogin({ mqttUrl, deviceId, deviceSecret }: Login, clock: Clock): Promise<Finding[]> {
  const client = await connectAsync({
    ...brokerAddress(mqttUrl),
    clientId: deviceId,
    username: deviceId,
    password: deviceSecret,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: STEP_MS,
  }).catch((error: unknown) => error as Error)
  if (client instanceof Error)
    return [problem(`the broker cannot be used: ${reasonOf(client)}`, remedyFor(client, deviceId))]
  try {
    await client.subscribeAsync(deviceFilters(deviceId), { qos: 0 })
    return [ok('the broker accepts the login and the subscriptions'), await compareClocks(client, deviceId, clock)]
  } catch (error) {
    return [
      problem(
        `the broker refuses the subscriptions (${reasonOf(error)})`,
        `let ${deviceId} read and write plantroom/${deviceId}/#`,
      ),
    ]
  } finally {
    // Forced: a graceful end would wait for a broker that hangs.
    await client.endAsync(true)
  }
}

async function compareClocks(client: MqttClient, deviceId: string, clock: Clock): Promise<Finding> {
  const asked = newId('ask')
  const { promise, resolve } = Promise.withResolvers<number>()
  client.on('message', (topic, payload) => {
    const message = parseCloudTopic(topic)
    if (message?.kind === 'time' && message.asked === asked) resolve(Number.parseInt(payload.toString(), 10))
  })
  const before = clock.now()
  await client.publishAsync(topics.askTime(deviceId, asked), '', { qos: 0 })
  const done = new AbortController()
  const time = await Promise.race([promise, sleep(clock, ANSWER_MS, done.signal)]).finally(() => done.abort())
  if (time === undefined) {
    return warning('no cloud answers at this broker', 'check that the cloud runs and uses the same broker')
  }
  return checkOffset((before + clock.now()) / 2 - time, 'the clock of the cloud')
}

function remedyFor(error: Error, deviceId: string): string {
  const reason = reasonOf(error)
  if (/not authorized|bad user ?name or password/i.test(reason)) {
    return `check PLANTROOM_DEVICE_ID and PLANTROOM_DEVICE_SECRET; "plantroom device credential ${deviceId}" makes a new secret`
  }
  if (/certificate|self.signed|altname/i.test(reason)) {
    return 'set NODE_EXTRA_CA_CERTS to the certificate of your authority, and use the host name that the certificate has'
  }
  return 'check that the broker runs, and the host, the port and mqtt: or mqtts: in MQTT_URL'
}
