import { createLanguages } from '../../parts/languages.ts'

/** Columns of the CSV export, and the states and priorities of a new Jira, Cloud and Data Center. */
export const languages = createLanguages({
  columns: {
    'Issue key / Work item key / Key':
      'Vorgangsschlüssel / Schlüssel | Clé de ticket / Clé de demande / Clé | Clave de incidencia / Clave | Chave do item / Chave do problema / Chave | Chave da item / Chave do ticket | Chiave ticket / Chiave segnalazione / Chiave | Issuesleutel / Issue-key / Sleutel | Klucz zgłoszenia / Klucz | Võti',
    'Issue id':
      'Vorgangs-ID | ID de ticket | ID de la incidencia | ID do item | ID da item | ID ticket | Issue-ID | Id. zgłoszenia |',
    'Issue Type':
      'Vorgangstyp | Type de ticket / Type de demande | Tipo de Incidencia | Tipo de item / Tipo de problema | Tipo de item / Tipo de ticket | Tipo di ticket / Tipo di segnalazione | Issuetype | Typ zgłoszenia |',
    Summary:
      'Zusammenfassung | Résumé | Resumen | Resumo | Resumo | Riepilogo | Samenvatting | Podsumowanie | Kokkuvõte',
    Description:
      'Beschreibung | | Descripción | Descrição | Descrição | Descrizione | Beschrijving / Omschrijving | Opis | Kirjeldus',
    Status: '| État / Etat / Statut | Estado | Estado | | Stato | | Stan | Olek / Staatus',
    'Status Category':
      'Statuskategorie | Catégorie d’état / Catégorie de statut | Categoría de estado | Categoria do estado | Categoria de status / Categoria do status | Categoria di stato | Statuscategorie | Kategoria statusu |',
    Priority:
      'Priorität | Priorité | Prioridad | Prioridade | Prioridade | Priorità | Prioriteit | Priorytet | Prioriteet',
    Resolution:
      'Lösung | Résolution | Resolución | Resolução | Resolução | Risoluzione | Oplossing | Rozwiązanie | Lahendus',
    Assignee:
      'Zugewiesene Person / Bearbeiter | Personne assignée / Responsable / Attribution | Persona asignada / Responsable | Pessoa atribuída | Responsável | Assegnatario | Toegewezen persoon / Toegewezene | Osoba przypisana / Przypisany | Vastutaja',
    'Assignee Id': '| | | | ID do responsável | | | |',
    Reporter:
      'Autor / Berichterstatter | Rapporteur | Informador | Relator | Relator | Segnalatore / Relatore | Melder / Rapporteerder | Osoba zgłaszająca / Zgłaszający | Teataja',
    'Reporter Id': '| | | | ID do relator | | | |',
    Creator: 'Ersteller | Créateur | Creador | Criador | Criador | Autore / Creatore | Maker / Auteur | Twórca | Looja',
    Created:
      'Erstellt | Création / Créé / Créée | Creada / Creado | Criado / Criada | Criado / Criado(a) | Creato / Creata | Aangemaakt / Gemaakt | Utworzono / Utworzone | Loodud',
    Updated:
      'Aktualisiert | Mise à jour / Mis à jour | Actualizada / Actualizado | Atualizado / Atualizada | Atualizado(a) / Atualizado | Aggiornato / Aggiornata | Bijgewerkt | Zaktualizowano / Zaktualizowane | Uuendatud / Muudetud',
    Resolved:
      'Erledigt / Gelöst | Résolue / Résolu | Resuelta / Resuelto | Resolvido / Resolvida | Resolvido / Resolvido(a) | Risolto / Risolta | Opgelost | Rozwiązano / Rozwiązane | Lahendatud',
    'Due date':
      'Fälligkeitsdatum / Fällig | Date d’échéance / Échéance | Fecha de vencimiento | Data de vencimento | Data limite / Data de entrega | Data di scadenza / Scadenza | Einddatum / Vervaldatum | Termin / Data wymagalności | Tähtaeg / Tähtpäev',
    'Last Viewed':
      'Zuletzt angesehen | Dernière consultation | Última visualización | Última visualização | Última visualização / Visualizado pela última vez | Ultima visualizzazione | Laatst bekeken | Ostatnio wyświetlone |',
    Votes: 'Stimmen | | Votos | Votos | Votos | Voti | Stemmen | Głosy |',
    Labels:
      'Stichwörter | Étiquettes / Etiquettes | Etiquetas | Etiquetas | Categorias / Rótulos | Etichette | Labels / Trefwoorden | Etykiety | Sildid',
    Watchers:
      'Beobachter | Observateurs | Observadores / Seguidores | Observadores | Observadores | Osservatori | Volgers | Obserwatorzy | Jälgijad',
    Comment:
      'Kommentar | Commentaire | Comentario | Comentário | Comentar / Comentário | Commento | Opmerking / Reactie | Komentarz | Kommentaar',
    Attachment:
      'Anhang | Pièce jointe | Archivo adjunto / Adjunto | Anexo | Anexo | Allegato | Bijlage | Załącznik | Manus',
    'Log Work':
      'Arbeit protokollieren | Journal de travail | Registro de trabajo | Registar trabalho | Registro de trabalho | Registra lavoro | Werk registreren | Zarejestruj pracę |',
    'Project key':
      'Projektschlüssel | Clé de projet | Clave del proyecto / Clave de proyecto | Chave do projeto | Chave do projeto | Chiave progetto | Projectsleutel | Klucz projektu |',
    'Project name':
      'Projektname | Nom du projet | Nombre del proyecto | Nome do projeto | Nome do projeto | Nome progetto | Projectnaam | Nazwa projektu |',
    'Project type':
      'Projekttyp | Type de projet | Tipo de proyecto | Tipo de projeto | Tipo de projeto | Tipo di progetto | Projecttype | Typ projektu |',
    'Project lead':
      'Projektleiter | Responsable du projet | Responsable del proyecto | Responsável do projeto | Responsável pelo projeto | Responsabile progetto | Projectleider | Kierownik projektu |',
    'Project description':
      'Projektbeschreibung | Description du projet | Descripción del proyecto | Descrição do projeto | Descrição do projeto | Descrizione progetto | Projectbeschrijving | Opis projektu |',
    'Custom field':
      'Benutzerdefiniertes Feld / Benutzerdefinierte Felder | Champs personnalisés / Champ personnalisé | Campo personalizado | Campo personalizado | Campo personalizado | Campo personalizzato | Aangepast veld | Pole niestandardowe / Pole własne |',
    'Inward issue link': '| | | | Link de item interno | | | |',
    'Outward issue link': '| | | | Link externo de item | | | |',
  },
  states: {
    new: {
      'To Do':
        'Zu erledigen / Aufgaben | À faire | Por hacer / Tareas por hacer | Por fazer / A fazer | Itens Pendentes / Tarefas pendentes / A Fazer | Da completare / Da fare | Te doen / Nog te doen / Taken | Do zrobienia | Teha',
      New: 'Neu | Nouveau | Nuevo / Nueva | Novo | Novo | Nuovo | Nieuw | Nowe / Nowy | Uus',
      Backlog: '',
    },
    open: {
      Open: 'Offen | Ouvert / Ouverte | Abierto / Abierta | Aberto | Aberto | Aperto / Aperta | | Otwarte / Otwarty | Avatud',
      Reopened:
        'Erneut geöffnet / Wieder geöffnet | Rouvert / Réouvert / Réouverte | Reabierto / Reabierta | Reaberto | Reaberto | Riaperto / Riaperta | Heropend | Ponownie otwarte | Taasavatud',
      'Selected for development':
        'Für Entwicklung ausgewählt | Sélectionné pour le développement | Seleccionado para desarrollo | Selecionado para desenvolvimento | Selecionado para Desenvolvimento | Selezionato per lo sviluppo | Geselecteerd voor ontwikkeling | Wybrane do realizacji |',
      'Waiting for support':
        'Warten auf Support | En attente du support / En attente d’assistance | Esperando por soporte / A la espera de soporte | A aguardar suporte | Aguardando suporte / Aguardando pelo suporte | In attesa di supporto | Wacht op ondersteuning / Wachten op ondersteuning | Oczekiwanie na wsparcie |',
      Escalated:
        'Eskaliert | Escaladé / Remonté | Escalado / Escalada | Escalado | Escalado | Inoltrato | Geëscaleerd | Eskalowane |',
    },
    in_progress: {
      'In progress':
        'In Arbeit / In Bearbeitung | En cours | En curso / En progreso | Em curso | Em andamento / Em progresso | In corso | In behandeling / In uitvoering / Mee bezig | W toku / W trakcie | Töös',
      'Work in progress':
        '| Travail en cours | Trabajo en curso | Trabalho em curso | Trabalho em andamento | Lavoro in corso | Werk in uitvoering | Praca w toku |',
      'In review':
        'In Überprüfung | En cours de révision / En revue | En revisión | Em revisão | Em revisão / Em análise | In revisione | In beoordeling | W trakcie przeglądu |',
      'Under review': 'Wird überprüft | En cours d’examen | | | Sob revisão | | | |',
    },
    on_hold: {
      'On hold':
        'Angehalten / Zurückgestellt | En suspens / En pause | En pausa | Em pausa | Em espera / Em pausa | In sospeso | In de wacht / On-hold | Wstrzymane | Ootel',
      Blocked:
        'Blockiert | Bloqué / Bloquée | Bloqueado / Bloqueada | Bloqueado | Bloqueado / Impedido | Bloccato | Geblokkeerd | Zablokowane | Blokeeritud',
      Pending: 'Ausstehend | En attente | Pendiente | Pendente | Pendente | In attesa | Wachtend | Oczekujące |',
      'Waiting for customer':
        'Warten auf Kunden / Warten auf Kunde | En attente du client | Esperando por el cliente / A la espera del cliente | A aguardar cliente | Aguardando cliente / Aguardando pelo cliente | In attesa del cliente | Wacht op klant / Wachten op klant | Oczekiwanie na klienta |',
      'Waiting for approval':
        'Warten auf Genehmigung | En attente d’approbation | Esperando aprobación / A la espera de aprobación | A aguardar aprovação | Aguardando aprovação | In attesa di approvazione | Wacht op goedkeuring / Wachten op goedkeuring | Oczekiwanie na zatwierdzenie |',
    },
    resolved: {
      Done: 'Fertig | Terminé / Terminée / Terminé(e) | Finalizado / Finalizada / Listo / Hecho | Concluído | Concluído / Itens concluídos / Feito | Completato / Completata / Fatto | Gereed / Voltooid / Klaar | Gotowe / Ukończono | Valmis / Tehtud',
      Resolved:
        'Erledigt / Gelöst | Résolu / Résolue / Résolu(e) | Resuelto / Resuelta | Resolvido | Resolvido | Risolto / Risolta | Opgelost | Rozwiązane / Rozwiązano | Lahendatud',
      Completed:
        'Abgeschlossen | Achevé | Completado / Completada | Completo | Completo | | Afgerond | Zakończone | Lõpetatud',
    },
    closed: {
      Closed:
        'Geschlossen | Fermé / Fermée / Fermé(e) / Clos | Cerrado / Cerrada | Fechado | Fechado | Chiuso / Chiusa | Gesloten | Zamknięte / Zamknięty | Suletud',
    },
    canceled: {
      'Canceled / Cancelled':
        'Abgebrochen / Storniert | Annulé / Annulée | Cancelado / Cancelada | Cancelado | Cancelado | Annullato | Geannuleerd | Anulowane | Tühistatud',
      Declined:
        'Abgelehnt | Refusé / Refusée | Rechazado / Rechazada | Recusado | Recusado | Rifiutato | Afgewezen | Odrzucone |',
      Rejected: '| Rejeté / Rejetée | | Rejeitado | Rejeitado | Respinto | Geweigerd | | Tagasi lükatud',
    },
  },
  priorities: {
    0: {
      Low: 'Niedrig | Basse / Faible | Baja / Bajo | Baixa / Baixo | Baixa / Baixo | Bassa / Basso | Laag | Niski | Madal',
      Lowest:
        'Niedrigste / Sehr niedrig | La plus basse / Très basse | Muy baja / Más baja | Mais baixa / Mínima | Mais baixa / Muito baixa | Molto bassa / Minima | Laagste | Najniższy |',
      Minor: 'Unwesentlich / Gering | Mineure / Mineur | Menor | Menor | Menor | Minore | Klein | Drobny |',
      Trivial: '| Triviale | | | | Banale | Triviaal | Trywialny |',
    },
    1: {
      Medium:
        'Mittel | Moyenne / Normale | Media / Medio | Média / Médio | Média / Médio | Media / Medio | Gemiddeld / Normaal | Średni | Keskmine',
    },
    2: {
      High: 'Hoch | Élevée / Haute | Alta / Alto | Alta / Alto | Alta / Alto | Alta / Alto | Hoog | Wysoki | Kõrge',
      Major:
        'Wichtig / Schwerwiegend | Majeure / Majeur | Mayor / Principal | Principal | Principal / Importante | Maggiore | Belangrijk | Ważny | Oluline',
    },
    3: {
      Highest:
        'Höchste / Sehr hoch | La plus élevée / Très élevée / Très haute | Muy alta / Más alta | Mais alta / Máxima | Mais alta / Muito alta / Altíssima | Molto alta / Massima | Hoogste | Najwyższy |',
      Blocker:
        '| Bloquante / Bloquant | Bloqueador / Bloqueante | Bloqueador | Bloqueador / Impeditivo | Bloccante | Blokkerend | Blokujący |',
      Critical:
        'Kritisch | Critique | Crítica / Crítico | Crítica / Crítico | Crítica / Crítico | Critica / Critico | Kritiek | Krytyczny | Kriitiline',
    },
  },
})

/** Returns the English name of a column: `Zusammenfassung` is `Summary`, `Champs personnalisés (Rank)` is `Custom field (Rank)`. */
export function englishColumn(header: string): string {
  const known = languages.columnOf(header)
  if (known !== header) return known
  const at = header.indexOf(' (')
  return at === -1 ? header : `${languages.columnOf(header.slice(0, at))}${header.slice(at)}`
}
