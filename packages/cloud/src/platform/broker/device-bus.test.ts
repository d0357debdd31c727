import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { openMqttBus } from './mqtt-bus.ts'
import { CLOUD_ID, deviceBusContract } from './testing/device-bus-contract.ts'
import { startBroker } from './testing/embedded.ts'
import { startMosquitto, withoutMosquitto } from './testing/mosquitto.ts'

deviceBusContract('the embedded broker', {
  skip: false,
  async start() {
    const { broker, url } = await startBroker()
    return { url, open: async () => broker }
  },
})

deviceBusContract('Mosquitto', {
  skip: withoutMosquitto,
  async start() {
    const { url, cloudUrl } = await startMosquitto()
    return {
      url,
      open: () =>
        openMqttBus({
          url: cloudUrl,
          cloudId: CLOUD_ID,
          batchGroup: 'batches',
          clock: systemClock,
          log: createLog('test', 'silent'),
        }),
    }
  },
})
