import type { Target } from '@plantroom/contract/conversion'
import type { TicketState } from '@plantroom/contract/request-fields'

/** Compares texts that people write differently: case, Unicode form, punctuation and spaces do not count, nor does camelCase. */
export function folded(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_\-./:*()#]+/g, ' ')
    .trim()
}

const words = (text: string): readonly string[] => text.split('|').map((word) => word.trim())

/** Headers of columns in English, German and Estonian. The first of a list fits best. */
export const HEADERS: Readonly<Partial<Record<Target, readonly string[]>>> = {
  externalId: words(
    'external id|externalid|issue key|ticket id|request id|work order id|wo id|case id|id|key|uuid|ticket|ticket no|ticket number|request number|work order number|work order|case number|reference|ref|code|ticketnummer|vorgangsnummer|auftragsnummer|meldungsnummer|auftrags nr|auftragsnr|ticket nr|vorgangs nr|meldungs nr|schadensnummer|kennung|viitenumber|pöördumise number|tunnus|kood',
  ),
  number: words('number|no|nr|nummer|num|lfd nr|jrk nr|jrk'),
  title: words(
    'title|subject|summary|work order title|request title|short description|summary of issue|headline|name|issue|betreff|titel|kurzbeschreibung|zusammenfassung|bezeichnung|pealkiri|teema|lühikirjeldus|nimetus',
  ),
  description: words(
    'description|details|work order description|request description|body|long description|problem|problem description|message|text|content|beschreibung|problembeschreibung|meldung|inhalt|kirjeldus|sisu|probleem|probleemi kirjeldus',
  ),
  notes: words(
    'notes|internal notes|note|remarks|remark|notizen|interne notizen|notiz|bemerkung|bemerkungen|anmerkung|anmerkungen|interne bemerkung|interne bemerkungen|interne anmerkung|interne notiz|märkused|märkus|sisemärkused',
  ),
  resolutionSummary: words(
    'resolution|resolution summary|solution|completion notes|work performed|work done|lösung|erledigung|maßnahme|lahendus|tehtud töö',
  ),
  state: words('state|status|work order status|current status|zustand|bearbeitungsstand|seisund|olek|staatus'),
  priority: words('priority|urgency|severity|priorität|prioritaet|dringlichkeit|prioriteet|tähtsus|kiireloomulisus'),
  language: words('language|sprache|keel'),
  tone: words('tone'),
  scope: words('scope'),
  safetyHazard: words('safety hazard|safetyhazard|hazard|sicherheitsrisiko|gefahr|ohtlik|oht'),
  feedback: words('feedback|rating|satisfaction|score|bewertung|hinnang'),
  feedbackText: words('feedback comment|feedback text|feedbacktext|rating comment|tagasiside'),
  'reporter.name': words(
    'reporter|reporter name|requester|requester name|requested by|reported by|submitted by|created by|contact name|contact|customer|customer name|tenant|author|melder|gemeldet von|ersteller|erstellt von|kontakt|ansprechpartner|mieter|teataja|esitaja|taotleja|kontaktisik|üürnik|looja',
  ),
  'reporter.email': words(
    'reporter email|requester email|contact email|customer email|email|e mail|email address|mail|e mail adresse|kontakt email|e post|meil|meiliaadress|e posti aadress',
  ),
  'reporter.phone': words(
    'reporter phone|requester phone|contact phone|phone|phone number|telephone|mobile|telefon|telefonnummer|handy|mobil|telefoninumber',
  ),
  assignee: words(
    'assignee|assigned to|assignee email|assigned users|assigned user|technician|worker|owner|zugewiesen an|zugewiesen|bearbeiter|zuständig|techniker|e mail bearbeiter|bearbeiter e mail|e mail techniker|techniker e mail|assigned to email|technician email|vastutaja|täitja|määratud',
  ),
  supervisor: words('supervisor|manager|approver|vorgesetzter|leiter|juht|juhataja'),
  watchers: words('watchers|followers|additional workers|beobachter|jälgijad'),
  ccEmails: words('cc|ccemails|cc emails|copy|kopie|koopia'),
  unit: words(
    'unit|location|room|apartment|flat|suite|space|location name|einheit|raum|wohnung|standort|ort|ruum|korter|asukoht|pind|üksus',
  ),
  tags: words(
    'tags|labels|categories|category|keywords|tag|kategorien|kategorie|gewerk|gewerke|schlagworte|sildid|kategooria|märksõnad',
  ),
  createdAt: words(
    'created|created at|createdat|created on|created date|date created|creation date|opened|opened at|reported on|reported at|date reported|submitted on|requested on|date|erstellt|erstellt am|erstellungsdatum|angelegt am|gemeldet am|eröffnet|datum|loodud|loomise aeg|loomise kuupäev|esitatud|registreeritud|avatud|kuupäev',
  ),
  updatedAt: words(
    'updated|updated at|updatedat|updated on|last updated|last updated on|modified|last modified|changed|date updated|aktualisiert|aktualisiert am|geändert|geändert am|zuletzt geändert|muudetud|uuendatud',
  ),
  resolvedAt: words(
    'resolved|resolved at|resolvedat|resolved on|completed|completed at|completed on|date completed|completion date|closed|closed at|closed on|date closed|finished|erledigt am|gelöst am|abgeschlossen am|geschlossen am|fertig am|lahendatud|suletud|lõpetatud',
  ),
  stateChangedAt: words(
    'state changed|statechangedat|state changed at|status changed|status change date|status changed on',
  ),
  attachments: words(
    'attachments|attachment|files|images|photos|photo|pictures|fotos|foto|anhänge|anhang|anlagen|dateien|bilder|manused|manus|failid|pildid',
  ),
  comment: words('comments|comment|updates|kommentare|kommentar|kommentaarid|kommentaar'),
}

const STATE_WORDS: Readonly<Record<TicketState, readonly string[]>> = {
  new: words('new|neu|uus|submitted|requested|reported|unassigned|not started|gemeldet|esitatud|registreeritud|draft'),
  open: words(
    'open|offen|avatud|lahtine|reopened|wieder geöffnet|taasavatud|assigned|approved|accepted|to do|todo|scheduled|zugewiesen|määratud|angenommen',
  ),
  in_progress: words(
    'in progress|inprogress|progress|started|working|work in progress|active|ongoing|processing|in arbeit|in bearbeitung|töös|menetluses|tegemisel',
  ),
  on_hold: words(
    'on hold|onhold|hold|waiting|pending|paused|blocked|deferred|stalled|awaiting parts|waiting for parts|waiting for customer|wartend|wartet|wartet auf ersatzteil|wartet auf ersatzteile|wartet auf material|wartet auf rückmeldung|zurückgestellt|pausiert|ootel|pausil|peatatud',
  ),
  resolved: words(
    'resolved|done|complete|completed|fixed|solved|finished|erledigt|gelöst|behoben|fertig|lahendatud|tehtud|valmis|lõpetatud',
  ),
  closed: words('closed|closed complete|closed, complete|archived|geschlossen|abgeschlossen|suletud|arhiveeritud'),
  canceled: words(
    "canceled|cancelled|rejected|declined|duplicate|invalid|won't fix|wont fix|won't do|withdrawn|deleted|closed incomplete|closed, incomplete|abgelehnt|storniert|abgebrochen|tühistatud|tagasi lükatud",
  ),
}

const PRIORITY_WORDS: readonly (readonly [priority: 0 | 1 | 2 | 3 | null, words: readonly string[]])[] = [
  [0, words('low|lowest|very low|minor|trivial|p4|p5|niedrig|gering|madal|0 low')],
  [1, words('normal|medium|moderate|standard|routine|p3|mittel|keskmine|tavaline|regulaarne')],
  [2, words('high|major|important|p2|hoch|wichtig|kõrge|oluline')],
  [
    3,
    words(
      'urgent|critical|emergency|highest|very high|blocker|immediate|p1|p0|dringend|kritisch|notfall|sofort|sehr hoch|kiire|kriitiline|avarii|erakorraline|väga kõrge',
    ),
  ],
  [null, words('none|no priority|not set|keine|puudub|undefined|n a')],
]

const STATES_BY_WORD = new Map(
  Object.entries(STATE_WORDS).flatMap(([state, names]) => names.map((name) => [folded(name), state as TicketState])),
)
const PRIORITIES_BY_WORD = new Map(
  PRIORITY_WORDS.flatMap(([priority, names]) => names.map((name) => [folded(name), priority])),
)

/** Returns the state that a word of another system means, or undefined for an unknown word. */
export function stateOf(value: string): TicketState | undefined {
  return STATES_BY_WORD.get(folded(value))
}

/** Returns the priority that a word means; null for "none", undefined for an unknown word. */
export function priorityOf(value: string): 0 | 1 | 2 | 3 | null | undefined {
  return PRIORITIES_BY_WORD.get(folded(value))
}
