import { Button, Group, NumberInput, Paper, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { OpenadrProgram } from '@plantroom/contract/openadr'
import { ON_SILENCE, type OnSilence } from '@plantroom/contract/openadr-mapping'
import type { Profile } from '@plantroom/contract/openadr-profile'
import { useChange, useOperation } from '../../../api/use-operation.ts'
import { organizationPath, useOrganization } from '../../../api/use-site.ts'
import { ForAdmins } from '../../../parts/for-admins.tsx'
import { FormBesideFile } from '../../../parts/form-beside-file.tsx'
import { Link } from '../../../parts/link.tsx'
import { ErrorNotice, QueryView } from '../../../parts/notices.tsx'
import { PageHead } from '../../../parts/page-head.tsx'
import { format } from '../../../texts/format.ts'
import { openadrMapping as texts } from '../../../texts/openadr-mapping.ts'
import { profileName } from '../profile-of.ts'
import { type MappingDraft, newResource } from './mapping-draft.ts'
import { ResourceFields } from './resource-fields.tsx'
import { useMappingEditor } from './use-mapping-editor.ts'
import { type SiteDatapoint, useSiteDatapoints } from './use-site-datapoints.ts'

/** Edits what the events of a program do, as a form and as a file. */
export function MappingPage({ programId }: { programId: string }) {
  const { isAdmin } = useOrganization().organization
  // What the person has typed must not change under their hands.
  const query = useOperation(
    'getOpenadrProgram',
    { programId },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  )
  return (
    <ForAdmins isAdmin={isAdmin} title={texts.plainTitle} hint={texts.forAdmins}>
      <QueryView query={query}>{(program) => <Editor program={program} />}</QueryView>
    </ForAdmins>
  )
}

function Editor({ program }: { program: OpenadrProgram }) {
  const { orgId } = useOrganization()
  const editor = useMappingEditor(program)
  const { draft, problems, profile, changeForm } = editor
  const sites = new Set([...program.siteIds, ...chosenSites(draft)])
  const datapoints = useSiteDatapoints([...sites])
  const save = useChange('changeOpenadrProgram', {
    onSuccess({ name, mapping }) {
      editor.saved(mapping)
      notifications.show({ message: format(texts.saved, { name }), color: 'green' })
    },
  })
  const back = organizationPath(orgId, '/openadr')
  return (
    <>
      <PageHead title={format(texts.title, { name: program.name })} actions={<Link to={back}>{texts.back}</Link>}>
        {format(texts.intro, { profile: profileName(program) })}
      </PageHead>
      <FormBesideFile texts={texts} editor={editor}>
        <MappingForm
          draft={draft}
          profile={profile}
          datapoints={datapoints}
          problemAt={(path) => problems.get(path)}
          onChange={changeForm}
        />
      </FormBesideFile>
      <Stack gap="xs" mt="lg">
        {save.error && <ErrorNotice error={save.error} title={texts.failed} />}
        <Group>
          <Button
            onClick={() => save.mutate({ programId: program.id, body: { mapping: editor.mapping() } })}
            disabled={problems.size > 0 || editor.isFileBroken || !editor.isChanged}
            loading={save.isPending}
          >
            {texts.save}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {problems.size > 0
              ? format(texts.problems, { count: problems.size })
              : editor.isChanged
                ? texts.saveHint
                : texts.unchanged}
          </Text>
        </Group>
      </Stack>
    </>
  )
}

/** The sites whose datapoints the form offers. */
const chosenSites = ({ resources }: MappingDraft) =>
  resources.flatMap(({ siteId, rules }) => [siteId, ...rules.map((rule) => rule.siteId)]).filter(Boolean)

function MappingForm({
  draft,
  profile,
  datapoints,
  problemAt,
  onChange,
}: {
  draft: MappingDraft
  profile: Profile | undefined
  datapoints: readonly SiteDatapoint[]
  problemAt: (path: string) => string | undefined
  onChange: (draft: MappingDraft) => void
}) {
  const { resources } = draft
  const change = (changed: Partial<MappingDraft>) => onChange({ ...draft, ...changed })
  return (
    <Stack>
      {resources.length === 0 && <Text>{texts.noResources}</Text>}
      {resources.map((resource, index) => (
        <ResourceFields
          key={resource.key}
          resource={resource}
          number={index + 1}
          profile={profile}
          datapoints={datapoints}
          problemAt={(field) => problemAt(field === '' ? `resources[${index}]` : `resources[${index}].${field}`)}
          onChange={(changed) => change({ resources: resources.with(index, changed) })}
          onRemove={() => change({ resources: resources.filter(({ key }) => key !== resource.key) })}
        />
      ))}
      <Group>
        <Button variant="default" onClick={() => change({ resources: [...resources, newResource()] })}>
          {texts.addResource}
        </Button>
      </Group>
      <SilenceFields draft={draft} profile={profile} problemAt={problemAt} change={change} />
    </Stack>
  )
}

function SilenceFields({
  draft,
  profile,
  problemAt,
  change,
}: {
  draft: MappingDraft
  profile: Profile | undefined
  problemAt: (path: string) => string | undefined
  change: (changed: Partial<MappingDraft>) => void
}) {
  const asProfile = profile && format(texts.asProfile, { choice: texts.onSilences[profile.onSilence] })
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="silence">
      <Title order={2} size="h4" id="silence" mb="sm">
        {texts.silence}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={texts.onSilence}
          data={[
            { value: '', label: asProfile ?? texts.onSilences.keep },
            ...ON_SILENCE.map((value) => ({ value, label: texts.onSilences[value] })),
          ]}
          value={draft.onSilence}
          allowDeselect={false}
          error={problemAt('onSilence')}
          onChange={(onSilence) => change({ onSilence: (onSilence ?? '') as OnSilence | '' })}
        />
        <NumberInput
          label={texts.silenceSeconds}
          value={draft.silenceSeconds}
          hideControls
          error={problemAt('silenceSeconds')}
          onChange={(silenceSeconds) => change({ silenceSeconds })}
        />
      </SimpleGrid>
    </Paper>
  )
}
