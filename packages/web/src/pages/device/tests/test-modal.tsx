import type { Device, MeterSign, OutputTest } from '@plantroom/contract/api'
import { Modal } from '../../../parts/dialogs.tsx'
import { format } from '../../../texts/format.ts'
import { outputTests as texts } from '../../../texts/output-tests.ts'
import type { RowGroup } from '../rows.ts'
import type { LiveState } from '../use-live-state.ts'
import type { TestChoice } from './describe-test.ts'
import { TestForm } from './test-form.tsx'
import { TestView } from './test-view.tsx'

/** Starts a test of an output, shows it while it runs, and asks what a person saw. */
export function TestModal({
  device,
  groups,
  meters,
  tests,
  opened,
  state,
  onStarted,
  onClose,
}: {
  device: Device
  groups: readonly RowGroup[]
  meters: readonly MeterSign[]
  tests: readonly OutputTest[]
  opened: TestChoice | { testId: string }
  state: LiveState
  onStarted: (testId: string) => void
  onClose: () => void
}) {
  if (!('testId' in opened)) {
    return (
      <TestForm
        device={device}
        groups={groups}
        meters={meters}
        choice={opened}
        onStarted={onStarted}
        onClose={onClose}
      />
    )
  }
  const test = tests.find(({ id }) => id === opened.testId)
  return (
    <Modal opened onClose={onClose} title={format(texts.dialog, { device: device.name })} size="lg">
      {test && <TestView deviceId={device.id} test={test} groups={groups} state={state} onClose={onClose} />}
    </Modal>
  )
}
