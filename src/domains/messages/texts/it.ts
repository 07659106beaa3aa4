import type { Texts } from './en.ts';

export const it: Texts = {
  locale: 'it',
  dir: 'ltr',
  name: 'Italiano',
  language: 'Lingua',
  title: 'La tua eSIM: {place}',
  testNotice: 'Questa è una eSIM di prova. Non può essere installata.',
  data: 'Dati',
  validity: 'Validità',
  unlimited: 'Illimitati',
  states: { not_active: 'Pronta', active: 'Attiva', depleted: 'Dati esauriti', expired: 'Terminata' },
  usage: {
    title: 'I tuoi dati',
    left: 'Ancora {left} su {total}',
    used: 'Usato: {used}',
    timeLeft: 'Tempo rimasto',
    validUntil: 'Valida fino al',
    asOf: 'Aggiornato: {time}',
    old: 'Questi valori potrebbero non essere aggiornati. Ultimo aggiornamento: {time}',
    startsOnUse:
      'Non hai ancora usato nulla. La validità parte quando la eSIM si collega per la prima volta a destinazione.',
    startsOnInstall: 'Non hai ancora usato nulla. La validità parte quando installi la eSIM.',
    depleted: 'Hai usato tutti i dati.',
    expired: 'Questo piano è terminato.',
    refill: 'Aggiungi dati',
  },
  install: {
    title: 'Installa la tua eSIM',
    again: 'Dati per l’installazione',
    before:
      'Serve una connessione a Internet, meglio se Wi-Fi. Una eSIM si installa una volta sola: non eliminarla in seguito.',
    phone: 'Il tuo telefono',
    iphone: {
      button: 'Installa su iPhone',
      needs: 'iOS 17.4 o successivo. Sulle versioni precedenti usa il codice QR o i codici di questa pagina.',
      steps: [
        'Tocca “Installa su iPhone” e segui le istruzioni.',
        'Chiama la nuova linea “Viaggio” e tieni il tuo numero per chiamate e messaggi.',
        'All’arrivo apri Impostazioni › Cellulare, scegli la eSIM e attiva la linea e il Roaming dati.',
        'Tocca Dati cellulare e scegli la eSIM.',
      ],
    },
    android: {
      button: 'Installa su Android',
      needs: 'Se non succede nulla, usa il codice QR o i codici di questa pagina.',
      steps: [
        'Tocca “Installa su Android” e segui le istruzioni.',
        'Chiama la nuova SIM “Viaggio” e tieni il tuo numero per chiamate e messaggi.',
        'All’arrivo apri Impostazioni › Rete e Internet › SIM (Samsung: Connessioni › Gestione SIM) e attiva la eSIM.',
        'Scegli la eSIM per i dati mobili e attiva il suo roaming.',
      ],
    },
  },
  qr: {
    title: 'Scansiona il codice QR',
    scan: 'Inquadra il codice con la fotocamera del telefono e segui le istruzioni.',
    elsewhere:
      'Apri questa pagina su un altro schermo, o stampala, e scansiona il codice con la fotocamera del telefono.',
    label: 'Codice QR che installa la eSIM',
  },
  device: {
    title: 'Il tuo telefono supporta le eSIM?',
    model: 'Modello del tuo telefono',
    check: 'Verifica',
    found: 'Questi modelli supportano le eSIM',
    more: 'E altri {count}. Scrivi più del nome.',
    missing: 'Non è nel nostro elenco',
    sure: 'Le varianti di alcuni paesi non hanno l’eSIM e qui possono mancare modelli nuovi. Per essere sicuro, componi *#06# sul telefono: se mostra un EID, supporta le eSIM. Non deve essere bloccato da un operatore.',
  },
  manual: {
    title: 'Inserisci i codici a mano',
    smdp: 'Indirizzo SM-DP+',
    activation: 'Codice di attivazione',
    confirmation: 'Codice di conferma',
    whole: 'Codice completo, se il telefono ne chiede uno solo',
    copy: 'Copia',
    copied: 'Copiato',
  },
  connect: {
    title: 'All’arrivo',
    roamingOn: 'Attiva il roaming dati per questa eSIM. Non ha costi aggiuntivi.',
    roamingOff: 'Per questa eSIM il roaming dati non serve.',
    apnAutomatic: 'L’APN si imposta automaticamente.',
    apn: 'Se Internet non funziona, imposta questo APN per la eSIM:',
    trouble: 'Internet non funziona?',
    tries: [
      'Controlla che i dati mobili usino questa eSIM e che il roaming sia attivo.',
      'Attiva la modalità aereo per dieci secondi, poi disattivala.',
      'Riavvia il telefono.',
    ],
  },
  support: 'Chiedi aiuto',
  supportOf: 'Contatta {name}',
  keepPrivate: 'Tieni questa pagina per te: chiunque abbia il link può installare la tua eSIM.',
  noTracking: 'Niente cookie, niente tracciamento.',
  mail: {
    subject: 'La tua eSIM',
    subjectOf: 'La tua eSIM da {name}',
    here: 'Ecco la tua eSIM. La pagina spiega come installarla e, in seguito, quanti dati ti restano:',
    keepPrivate: 'Tieni il link per te: chiunque lo abbia può installare la eSIM.',
    help: 'Assistenza: {address}',
    sentBy: 'Inviato da {name}.',
  },
  help: {
    button: 'Non funziona',
    question: 'Che cosa mostra il telefono?',
    symptoms: {
      cannot_install: 'L’eSIM non si installa',
      not_listed: 'Non trovo l’eSIM sul telefono',
      no_signal: 'Nessun servizio',
      no_internet: 'C’è campo, ma niente internet',
      slow: 'Internet è molto lento',
      other: 'Altro',
    },
    steps: {
      wait: {
        title: 'La tua nuova eSIM è in arrivo',
        text: 'Di solito è pronta in pochi minuti. Riapri questa pagina un po’ più tardi.',
      },
      plan_ended: {
        title: 'Il tuo piano è terminato',
        text: 'La sua durata è finita e non si collega più. Ti serve una nuova eSIM.',
      },
      paused: {
        title: 'Questa eSIM è sospesa',
        text: 'Non si collega finché non viene riattivata. Chiedi aiuto e controlleremo.',
      },
      removed: {
        title: 'L’eSIM è stata eliminata dal telefono',
        text: 'Una eSIM si installa una sola volta e non si può recuperare. Te ne serve una nuova: chiedi aiuto.',
      },
      already_installed: {
        title: 'L’eSIM è già installata',
        text: 'Una eSIM si installa una sola volta. Cercala nelle impostazioni del telefono su cui è stata installata e attivala lì.',
      },
      retry_install: {
        title: 'Inserisci i codici a mano',
        text: 'Collegati al Wi-Fi e riavvia il telefono. Poi apri la pagina della tua eSIM, scegli di inserire i codici a mano e copiali nelle impostazioni eSIM del telefono.',
      },
      install: {
        title: 'Installa l’eSIM',
        text: 'Sembra che non sia ancora sul telefono. Ti servono il Wi-Fi e circa due minuti.',
      },
      not_covered: {
        title: 'Il tuo piano non copre questo Paese',
        text: 'L’eSIM è stata vista l’ultima volta in un Paese in cui il tuo piano non funziona. Funziona qui: {place}.',
      },
      add_data: { title: 'I tuoi dati sono esauriti', text: 'L’eSIM si ricollega appena vengono aggiunti dati.' },
      outage: {
        title: 'Sembra esserci un guasto',
        text: 'La rete al momento non ci risponde, quindi probabilmente non dipende dal telefono. Lascia attiva l’eSIM e ricontrolla tra mezz’ora.',
      },
      switch_on: { title: 'Attiva l’eSIM', text: 'È installata, ma il telefono non la sta usando.' },
      set_apn: {
        title: 'Imposta l’APN',
        text: 'Nelle impostazioni dell’eSIM apri «Rete dati cellulare» (Android: «Nomi punti di accesso»), inserisci questo APN e riavvia il telefono.',
      },
      turn_on_data: {
        title: 'Usa l’eSIM per i dati mobili',
        text: 'Il telefono ha campo, ma i dati passano da un’altra parte.',
      },
      find_network: {
        title: 'Fai cercare una rete al telefono',
        text: 'Attiva la modalità aereo per dieci secondi, poi disattivala. Ancora nessun servizio? Nelle impostazioni dell’eSIM disattiva la selezione automatica della rete e scegline un’altra.',
      },
      speed_up: {
        title: 'Collegati di nuovo',
        text: 'Attiva la modalità aereo per dieci secondi, poi disattivala. Ancora lento? Nelle impostazioni dell’eSIM disattiva la selezione automatica della rete e scegline un’altra: questa potrebbe essere affollata.',
      },
      ask: {
        title: 'Dobbiamo controllare',
        text: 'Da qui non vediamo che cosa non va. Chiedi aiuto e raccontaci che cosa succede.',
      },
    },
    notSolved: 'Non è servito',
    otherProblem: 'È un altro problema',
    back: 'Torna alla tua eSIM',
    ask: {
      title: 'Chiedi aiuto',
      text: 'Inviamo anche quello che sappiamo della tua eSIM, così non devi spiegarlo.',
      email: 'Il tuo indirizzo email, per la risposta (facoltativo)',
      message: 'Che cosa succede? (facoltativo)',
      send: 'Invia',
      invalidEmail: 'Questo indirizzo email non è valido.',
      tooLong: 'È troppo lungo: al massimo {count} caratteri.',
    },
    sent: {
      title: 'La tua richiesta è stata inviata',
      text: 'Se hai indicato un indirizzo email, la risposta arriverà lì.',
    },
    limit: {
      title: 'Oggi hai già chiesto tre volte',
      text: 'Le tue richieste sono arrivate. Domani potrai inviarne un’altra.',
    },
    sendAgain: 'Invialo ancora una volta.',
    replace: {
      title: 'Ottieni una nuova eSIM',
      text: 'Puoi avere subito una nuova eSIM, gratis. Questa smetterà di funzionare.',
      button: 'Ottieni una nuova eSIM',
    },
    replaced: {
      title: 'La tua nuova eSIM è pronta',
      text: 'Installala dalla sua pagina, come la prima. L’indirizzo della pagina resta lo stesso.',
    },
    replaceRequested: {
      title: 'La tua nuova eSIM è stata richiesta',
      text: 'Comparirà nella pagina della tua eSIM appena sarà approvata.',
    },
    notReplaced: { title: 'Una nuova eSIM non è possibile', text: 'Chiedi aiuto e controlleremo.' },
    mail: { subject: 'Sulla tua eSIM', subjectOf: 'Sulla tua eSIM di {name}', page: 'La pagina della tua eSIM:' },
  },
  missing: {
    title: 'Questa pagina non è disponibile',
    text: 'Il link potrebbe essere incompleto o non più valido. Chiedine uno nuovo a chi ti ha venduto la eSIM.',
  },
  regions: { 'middle-east': 'Medio Oriente', global: 'Tutto il mondo' },
};
