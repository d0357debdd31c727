import type { Target } from '@plantroom/contract/conversion'
import type { TicketState } from '@plantroom/contract/request-fields'
import { folded } from '../text/folded.ts'

const words = (text: string): readonly string[] => text.split('|').map((word) => word.trim())

/** Headers of columns besides our own, in English, German, Estonian, French, Spanish, Portuguese, Italian, Dutch and Polish. The first of a list fits best. */
export const HEADERS: Readonly<Partial<Record<Target, readonly string[]>>> = {
  externalId: words(
    'external id|externalid|issue key|ticket id|request id|work order id|wo id|case id|id|key|uuid|ticket|ticket no|ticket number|request number|work order number|work order|case number|reference|ref|code|ticketnummer|vorgangsnummer|auftragsnummer|meldungsnummer|auftrags nr|auftragsnr|ticket nr|vorgangs nr|meldungs nr|schadensnummer|kennung|viitenumber|pöördumise number|tunnus|kood|numéro de ticket|référence|número de ticket|número do ticket|número da solicitação|código|numero ticket|codice|meldnummer|numer zgłoszenia|identyfikator',
  ),
  number: words('number|no|nr|nummer|num|lfd nr|jrk nr|jrk'),
  title: words(
    'title|subject|summary|work order title|request title|short description|summary of issue|headline|name|issue|betreff|titel|kurzbeschreibung|zusammenfassung|bezeichnung|pealkiri|teema|lühikirjeldus|nimetus|titre|sujet|objet|título|asunto|assunto|resumen|resumo|titolo|oggetto|onderwerp|tytuł|temat',
  ),
  description: words(
    'description|details|work order description|request description|body|long description|problem|problem description|message|text|content|beschreibung|problembeschreibung|meldung|inhalt|kirjeldus|sisu|probleem|probleemi kirjeldus|descripción|descrição|descrizione|beschrijving|omschrijving|opis|problème|problema|descriptif',
  ),
  notes: words(
    'notes|internal notes|note|remarks|remark|notizen|interne notizen|notiz|bemerkung|bemerkungen|anmerkung|anmerkungen|interne bemerkung|interne bemerkungen|interne anmerkung|interne notiz|märkused|märkus|sisemärkused',
  ),
  resolutionSummary: words(
    'resolution|resolution summary|solution|completion notes|work performed|work done|lösung|erledigung|maßnahme|lahendus|tehtud töö|solución|resolución|solução|resolução|soluzione|risoluzione|oplossing|rozwiązanie|résolution',
  ),
  state: words(
    'state|status|work order status|current status|zustand|bearbeitungsstand|seisund|olek|staatus|statut|état|estado|situação|stato|stan|toestand',
  ),
  priority: words(
    'priority|urgency|severity|priorität|prioritaet|dringlichkeit|prioriteet|tähtsus|kiireloomulisus|priorité|urgence|prioridad|urgencia|prioridade|urgência|priorità|urgenza|prioriteit|urgentie|priorytet|pilność',
  ),
  language: words('language|sprache|keel'),
  safetyHazard: words('safety hazard|safetyhazard|hazard|sicherheitsrisiko|gefahr|ohtlik|oht'),
  feedback: words('feedback|rating|satisfaction|score|bewertung|hinnang'),
  feedbackText: words('feedback comment|feedback text|feedbacktext|rating comment|tagasiside'),
  'reporter.name': words(
    'reporter|demandeur|solicitante|requerente|richiedente|aanvrager|zgłaszający|reporter name|requester|requester name|requested by|reported by|submitted by|created by|contact name|contact|customer|customer name|tenant|author|melder|gemeldet von|ersteller|erstellt von|kontakt|ansprechpartner|mieter|teataja|esitaja|taotleja|kontaktisik|üürnik|looja',
  ),
  'reporter.email': words(
    'reporter email|requester email|contact email|customer email|email|e mail|email address|mail|e mail adresse|kontakt email|e post|meil|meiliaadress|e posti aadress',
  ),
  'reporter.phone': words(
    'reporter phone|requester phone|contact phone|phone|phone number|telephone|mobile|telefon|telefonnummer|handy|mobil|telefoninumber',
  ),
  assignee: words(
    'assignee|assigned to|assignee email|assigned users|assigned user|technician|worker|owner|zugewiesen an|zugewiesen|bearbeiter|zuständig|techniker|e mail bearbeiter|bearbeiter e mail|e mail techniker|techniker e mail|assigned to email|technician email|vastutaja|täitja|määratud|assigné à|attribué à|responsable|asignado a|atribuído a|responsável|assegnato a|assegnatario|toegewezen aan|behandelaar|przypisany do|technicien|técnico|tecnico',
  ),
  supervisor: words('supervisor|manager|approver|vorgesetzter|leiter|juht|juhataja'),
  watchers: words('watchers|followers|additional workers|beobachter|jälgijad'),
  ccEmails: words('cc|ccemails|cc emails|copy|kopie|koopia'),
  unit: words(
    'unit|location|room|apartment|flat|suite|space|location name|einheit|raum|wohnung|standort|ort|ruum|korter|asukoht|pind|üksus|lieu|emplacement|ubicación|localização|posizione|locatie|lokalizacja|logement|appartement|local',
  ),
  tags: words(
    'tags|labels|categories|category|keywords|tag|kategorien|kategorie|gewerk|gewerke|schlagworte|sildid|kategooria|märksõnad|catégorie|catégories|categoría|categoria|categorie|kategoria|étiquettes|etiquetas|etichette',
  ),
  createdAt: words(
    'created|created at|createdat|created on|created date|date created|creation date|opened|opened at|reported on|reported at|date reported|submitted on|requested on|date|erstellt|erstellt am|erstellungsdatum|angelegt am|gemeldet am|eröffnet|datum|loodud|loomise aeg|loomise kuupäev|esitatud|registreeritud|avatud|kuupäev|créé|créé le|date de création|date d’ouverture|creado|fecha de creación|fecha de apertura|criado|criado em|data de criação|data de abertura|data di creazione|data di apertura|creato|aangemaakt|aangemaakt op|aanmaakdatum|utworzono|data utworzenia|data zgłoszenia',
  ),
  updatedAt: words(
    'updated|updated at|updatedat|updated on|last updated|last updated on|modified|last modified|changed|date updated|aktualisiert|aktualisiert am|geändert|geändert am|zuletzt geändert|muudetud|uuendatud|mis à jour|modifié le|dernière modification|actualizado|última actualización|atualizado|atualizado em|última atualização|aggiornato|ultima modifica|bijgewerkt|laatst gewijzigd|zaktualizowano|ostatnia aktualizacja',
  ),
  resolvedAt: words(
    'resolved|resolved at|resolvedat|resolved on|completed|completed at|completed on|date completed|completion date|closed|closed at|closed on|date closed|finished|erledigt am|gelöst am|abgeschlossen am|geschlossen am|fertig am|lahendatud|suletud|lõpetatud|résolu le|date de résolution|date de clôture|fermé le|fecha de resolución|fecha de cierre|resuelto|data de resolução|data de fechamento|resolvido em|fechado em|data di risoluzione|data di chiusura|opgelost op|afgesloten op|data rozwiązania|data zamknięcia',
  ),
  stateChangedAt: words(
    'state changed|statechangedat|state changed at|status changed|status change date|status changed on',
  ),
  attachments: words(
    'attachments|attachment|files|images|photos|photo|pictures|fotos|foto|anhänge|anhang|anlagen|dateien|bilder|manused|manus|failid|pildid|pièces jointes|adjuntos|archivos adjuntos|anexos|allegati|bijlagen|załączniki',
  ),
  comment: words(
    'comments|comment|updates|kommentare|kommentar|kommentaarid|kommentaar|commentaires|commentaire|comentarios|comentário|comentários|commenti|opmerkingen|komentarze',
  ),
}

const STATE_WORDS: Readonly<Record<TicketState, readonly string[]>> = {
  new: words(
    'new|neu|uus|submitted|requested|reported|unassigned|not started|gemeldet|esitatud|registreeritud|draft|nouveau|nouvelle|nuevo|nueva|novo|nova|nuovo|nuova|nieuw|nowy|nowe',
  ),
  open: words(
    'open|offen|avatud|lahtine|reopened|wieder geöffnet|taasavatud|assigned|approved|accepted|to do|todo|scheduled|zugewiesen|määratud|angenommen|ouvert|ouverte|abierto|abierta|aberto|aberta|aperto|aperta|otwarte|otwarty|reaberto|réouvert|reabierto|riaperto|heropend|assigné|asignado|atribuído|assegnato|toegewezen|przypisane',
  ),
  in_progress: words(
    'in progress|inprogress|progress|started|working|work in progress|active|ongoing|processing|in arbeit|in bearbeitung|töös|menetluses|tegemisel|en cours|en curso|en progreso|em andamento|em curso|em atendimento|em execução|in corso|in lavorazione|in behandeling|in uitvoering|w toku|w trakcie|w realizacji',
  ),
  on_hold: words(
    'on hold|onhold|hold|waiting|pending|paused|blocked|deferred|stalled|awaiting parts|waiting for parts|waiting for customer|wartend|wartet|wartet auf ersatzteil|wartet auf ersatzteile|wartet auf material|wartet auf rückmeldung|zurückgestellt|pausiert|ootel|pausil|peatatud|en attente|en pause|en espera|pendiente|pendente|em espera|aguardando|in attesa|in sospeso|in de wacht|wachtend|oczekujące|oczekujący|wstrzymane',
  ),
  resolved: words(
    'resolved|done|complete|completed|fixed|solved|finished|erledigt|gelöst|behoben|fertig|lahendatud|tehtud|valmis|lõpetatud|résolu|résolue|terminé|terminée|resuelto|resuelta|terminado|finalizado|finalizada|resolvido|resolvida|solucionado|concluído|concluída|concluido|risolto|risolta|completato|opgelost|gereed|voltooid|afgerond|rozwiązane|rozwiązany|zakończone|gotowe|wykonane',
  ),
  closed: words(
    'closed|closed complete|closed, complete|archived|geschlossen|abgeschlossen|suletud|arhiveeritud|fermé|fermée|clos|clôturé|cerrado|cerrada|fechado|fechada|encerrado|encerrada|chiuso|chiusa|gesloten|zamknięte|zamknięty',
  ),
  canceled: words(
    "canceled|cancelled|rejected|declined|duplicate|invalid|won't fix|wont fix|won't do|withdrawn|deleted|closed incomplete|closed, incomplete|abgelehnt|storniert|abgebrochen|tühistatud|tagasi lükatud|annulé|annulée|rejeté|rejetée|cancelado|cancelada|rechazado|rechazada|rejeitado|rejeitada|annullato|respinto|rifiutato|geannuleerd|afgewezen|anulowane|odrzucone|odrzucony",
  ),
}

const PRIORITY_WORDS: readonly (readonly [priority: 0 | 1 | 2 | 3 | null, words: readonly string[]])[] = [
  [
    0,
    words(
      'low|lowest|very low|minor|trivial|p4|p5|niedrig|gering|madal|0 low|bas|basse|faible|baja|bajo|baixa|baixo|bassa|laag|niski',
    ),
  ],
  [
    1,
    words(
      'normal|medium|moderate|standard|routine|p3|mittel|keskmine|tavaline|regulaarne|moyenne|moyen|normale|media|medio|média|médio|normaal|gemiddeld|średni|normalny',
    ),
  ],
  [
    2,
    words(
      'high|major|important|p2|hoch|wichtig|kõrge|oluline|haute|haut|élevée|alta|alto|importante|hoog|wysoki|ważny',
    ),
  ],
  [
    3,
    words(
      'urgent|critical|emergency|highest|very high|blocker|immediate|p1|p0|dringend|kritisch|notfall|sofort|sehr hoch|kiire|kriitiline|avarii|erakorraline|väga kõrge|urgente|critique|immédiat|très haute|muy alta|crítica|crítico|muito alta|molto alta|inmediata|imediata|immediata|critica|zeer hoog|onmiddellijk|kritiek|pilny|krytyczny|bardzo wysoki',
    ),
  ],
  [null, words('none|no priority|not set|aucune|ninguna|nenhuma|nessuna|geen|brak|keine|puudub|undefined|n a')],
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
