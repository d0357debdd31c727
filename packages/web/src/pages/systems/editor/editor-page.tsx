import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Device } from '@plantroom/contract/api'
import { type CommissioningFile, measuredPart } from '@plantroom/contract/commissioning'
import { TEMPLATE_FAMILIES, type Template } from '@plantroom/contract/templates'
import { useMutation, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/service.ts'
import { technicalSystemsOf, useDevices } from '../../../api/use-devices.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { ForAdmins } from '../../../parts/for-admins.tsx'
import { FormBesideFile } from '../../../parts/form-beside-file.tsx'
import { Link } from '../../../parts/link.tsx'
import { Empty, ErrorNotice, QueryView } from '../../../parts/notices.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { editor as texts } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { scan } from '../../../texts/scan.ts'
import { systems } from '../../../texts/systems.ts'
import { outcomeOf, Review } from '../review/review.tsx'
import { useReview } from '../review/use-review.ts'
import { ConnectionFields, newConnection } from './connection-fields.tsx'
import { ScanPanel } from './scan/scan-panel.tsx'
import { TemplateQuestions } from './template-questions.tsx'
import { useFileEditor } from './use-file-editor.ts'

/** In place of a controller, for what is not copied from one. */
const TEMPLATE = 'template'
const EMPTY: CommissioningFile = { technicalSystem: '', connections: [] }

/** Commissions a controller on the page: a form and the file, side by side. */
export function EditorPage({ deviceId }: { deviceId: string }) {
  const { may } = useSite()
  const devices = useDevices()
  return (
    <ForAdmins isAdmin={may('admin')} title={texts.plainTitle} hint={systems.forAdmins}>
      <QueryView query={devices}>
        {(all) => {
          const device = all.find(({ id }) => id === deviceId)
          return device ? <Commissioning device={device} devices={all} /> : <Empty title={texts.notHere} />
        }}
      </QueryView>
    </ForAdmins>
  )
}

function Commissioning({ device, devices }: { device: Device; devices: readonly Device[] }) {
  const { orgId, path } = useSite()
  const [start, setStart] = useState({ key: '', file: EMPTY })
  const queries = useQueries({ queries: devices.map(({ id }) => technicalSystemsOf(orgId, id)) })
  const templates = useOperation('listTemplates', {}).data?.templates ?? []
  const choices = [
    ...devices.map(({ id, name }, at) => ({
      group: name,
      items: (queries[at]?.data ?? []).map((system) => ({ value: `${id} ${system.id}`, label: system.name })),
    })),
    ...Object.entries(TEMPLATE_FAMILIES).map(([family, group]) => ({
      group: format(texts.template.group, { family: group }),
      items: templates
        .filter((each) => each.family === family)
        .map(({ name, title }) => ({ value: `${TEMPLATE} ${name}`, label: title })),
    })),
  ]
  const copy = useMutation({
    mutationFn: async (key: string): Promise<{ template?: Template; file?: CommissioningFile }> => {
      const [deviceId = '', name = ''] = key.split(' ')
      if (deviceId === TEMPLATE) return { template: await api.getTemplate({ name }) }
      return { file: await api.getCommissioningFile({ orgId, deviceId, systemId: name }) }
    },
    onSuccess: ({ file = EMPTY }, key) => setStart({ key, file }),
  })
  const template = copy.data?.template
  return (
    <>
      <PageHead
        title={format(texts.title, { device: device.name })}
        actions={<Link to={path('/settings/systems')}>{texts.back}</Link>}
      >
        {texts.intro}
      </PageHead>
      <Select
        label={texts.from}
        description={texts.fromHint}
        placeholder={texts.empty}
        data={choices.filter(({ items }) => items.length > 0)}
        value={copy.variables ?? null}
        clearable
        searchable
        mb="lg"
        onChange={(key) => {
          if (key) return copy.mutate(key)
          copy.reset()
          setStart({ key: '', file: EMPTY })
        }}
      />
      {copy.error && <ErrorNotice error={copy.error} />}
      {template && (
        <TemplateQuestions
          key={template.name}
          template={template}
          onFilled={(file) => setStart({ key: JSON.stringify(file), file })}
        />
      )}
      <Editor key={start.key} device={device} initial={start.file} />
    </>
  )
}

function Editor({ device, initial }: { device: Device; initial: CommissioningFile }) {
  const { orgId } = useSite()
  const editor = useFileEditor(initial)
  const { draft, problems, changeForm } = editor
  const [isScanning, setIsScanning] = useState(false)
  const change = (changed: Partial<CommissioningFile>) => changeForm({ ...draft, ...changed })
  const review = useReview(device.id, ({ file }) => {
    notifications.show({ message: format(systems.load.done, { system: file.technicalSystem }), color: 'green' })
    review.check.reset()
  })
  const isReady = problems.size === 0 && !editor.isFileBroken
  const outcome = outcomeOf(review.check.data)
  return (
    <>
      <FormBesideFile texts={texts} editor={editor}>
        <Stack>
          <TextInput
            label={texts.system}
            description={texts.systemHint}
            value={draft.technicalSystem ?? ''}
            error={problems.get('technicalSystem')}
            onChange={({ currentTarget }) => change({ technicalSystem: currentTarget.value })}
          />
          {draft.connections.map((connection, at) => (
            <ConnectionFields
              // biome-ignore lint/suspicious/noArrayIndexKey: a name is edited, and connections have no other identity
              key={at}
              connection={connection}
              number={at + 1}
              problemAt={(field) => problems.get(`connections[${at}].${field}`)}
              onChange={(changed) => change({ connections: draft.connections.with(at, changed) })}
              onRemove={() => change({ connections: draft.connections.toSpliced(at, 1) })}
              partOf={(datapoint) => measuredPart(draft, datapoint)}
              onRead={(address) => api.readEquipment({ orgId, deviceId: device.id, body: address })}
            />
          ))}
          <Group>
            <Button variant="default" onClick={() => change({ connections: [...draft.connections, newConnection()] })}>
              {texts.addConnection}
            </Button>
            <Button variant="default" aria-expanded={isScanning} onClick={() => setIsScanning(!isScanning)}>
              {scan.open}
            </Button>
          </Group>
          {isScanning && <ScanPanel deviceId={device.id} file={draft} onAdd={changeForm} />}
        </Stack>
      </FormBesideFile>
      <Stack mt="lg">
        <Group>
          <Button
            variant={review.check.data ? 'default' : 'filled'}
            disabled={!isReady}
            loading={review.check.isPending}
            onClick={() => review.start(draft)}
          >
            {texts.check}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {isReady ? texts.checkHint : format(texts.problems, { count: Math.max(problems.size, 1) })}
          </Text>
        </Group>
        {review.check.variables?.file === draft && <Review review={review} />}
        {review.check.variables?.file === draft && (outcome === 'load' || outcome === 'remove') && (
          <Group>
            <Button
              loading={review.load.isPending}
              color={outcome === 'remove' ? 'red' : undefined}
              onClick={() => review.check.data && review.load.mutate(review.check.data)}
            >
              {outcome === 'remove' ? systems.load.remove : systems.load.submit}
            </Button>
          </Group>
        )}
      </Stack>
    </>
  )
}
