import { Alert, Group, Select, Text } from '@mantine/core'
import type { Device } from '@plantroom/contract/api'
import { TEMPLATE_FAMILIES, type Template } from '@plantroom/contract/templates'
import { useMutation, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/service.ts'
import { unsavedWork } from '../../../api/unsaved-work.ts'
import { technicalSystemsOf, useDevices } from '../../../api/use-devices.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { useSite } from '../../../api/use-site.ts'
import { ForAdmins } from '../../../parts/for-admins.tsx'
import { Link } from '../../../parts/link.tsx'
import { Empty, ErrorNotice, QueryView } from '../../../parts/notices.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { SmallButton } from '../../../parts/small-button.tsx'
import { undo } from '../../../texts/common.ts'
import { editor as texts } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { systems } from '../../../texts/systems.ts'
import { FileEditor } from './file-editor.tsx'
import { continued, EMPTY, NOTHING, type Start, type Work } from './start.ts'
import { TemplateQuestions } from './template-questions.tsx'

/** In place of a controller, for what is not copied from one. */
const TEMPLATE = 'template'

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
  const work = `commission ${orgId} ${device.id}`
  const [start, setStart] = useState<Start>(() => {
    const kept = unsavedWork.find<Work>(work)
    return kept ? continued(kept) : NOTHING
  })
  const [replaced, setReplaced] = useState<Work>()
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
    mutationFn: async (key: string): Promise<{ template?: Template; start?: Start }> => {
      const [deviceId = '', name = ''] = key.split(' ')
      if (deviceId === TEMPLATE) return { template: await api.getTemplate({ name }) }
      const file = await api.getCommissioningFile({ orgId, deviceId, systemId: name })
      if (deviceId !== device.id) return { start: { key, file, saved: EMPTY } }
      // Others may change the system while the person edits it.
      const { base, before } = await api.checkCommissioning({ orgId, deviceId, body: { ...file } })
      return { start: { key, file: before ?? file, saved: before ?? file, base } }
    },
  })

  /** Starts with another file. What the person had written is kept, so that this can be undone. */
  function begin(next: Start): void {
    setReplaced(unsavedWork.find<Work>(work))
    setStart(next)
  }

  function choose(key: string | null): void {
    if (key) {
      // Only the newest choice counts.
      copy.mutate(key, { onSuccess: ({ start: chosen }) => chosen && begin(chosen) })
      return
    }
    copy.reset()
    begin(NOTHING)
  }

  function goBack(to: Work): void {
    copy.reset()
    setReplaced(unsavedWork.find<Work>(work))
    setStart(continued(to))
  }

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
        onChange={choose}
      />
      {copy.error && <ErrorNotice error={copy.error} />}
      {template && (
        <TemplateQuestions
          key={template.name}
          template={template}
          onFilled={(file) => begin({ key: JSON.stringify(file), file, saved: EMPTY })}
        />
      )}
      {replaced && (
        <Alert color="blue" variant="light" role="status" mb="lg">
          <Group gap="sm">
            <Text size="sm">{format(texts.replaced, { system: replaced.draft.technicalSystem || texts.unnamed })}</Text>
            <SmallButton onClick={() => goBack(replaced)}>{undo.action}</SmallButton>
          </Group>
        </Alert>
      )}
      <FileEditor key={start.key} device={device} work={work} start={start} />
    </>
  )
}
