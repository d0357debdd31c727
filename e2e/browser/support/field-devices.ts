import { createRegisterBank } from '@plantroom/drivers/modbus/testing/register-bank'
import { startScriptedPeer } from '@plantroom/drivers/modbus/testing/scripted-peer'
import { putModels } from '@plantroom/drivers/sunspec/testing/device-registers'

const ILLEGAL_ADDRESS = 2

/** An inverter that describes itself by SunSpec, as unit 1. Other units are silent, as behind a real gateway. */
export async function startInverter() {
  const bank = createRegisterBank()
  putModels(bank, [
    { model: 1, values: {} },
    { model: 103, values: { W: 420, W_SF: 1, Hz: 5001, Hz_SF: -2, WH: 1_234_567, WH_SF: 0 } },
    {
      model: 123,
      values: { WMaxLimPct: 1000, WMaxLimPct_SF: -1, WMaxLimPct_RvrtTms: 0, WMaxLim_Ena: 0 },
    },
  ])
  const peer = await startScriptedPeer()
  peer.serve((request) => {
    if (request.unitId === 1) bank.answer(request)
  })
  return { port: peer.port, stop: () => peer.stop() }
}

/** A Modbus meter with these words in its holding registers, from register 0. */
export async function startMeter(words: readonly number[]) {
  const bank = createRegisterBank()
  for (const [register, word] of words.entries()) bank.holding.set(register, word)
  const peer = await startScriptedPeer()
  peer.serve((request) =>
    request.functionCode === 3 ? bank.answer(request) : request.answer([request.functionCode | 0x80, ILLEGAL_ADDRESS]),
  )
  return { port: peer.port, stop: () => peer.stop() }
}
