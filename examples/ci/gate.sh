#!/bin/sh
# Gates a deployment on what search finds: run it after every change of the
# documents, the settings or the version of quarry.
#
# It ends with 0 where the gate holds, 3 where it does not, and another code where it could
# not be measured; each of the last two stops a pipeline. What may be set:
#
#   DOCS      the folder of documents                                (docs)
#   SET       the questions                                          (quality/questions.jsonl)
#   BASELINE  a run that was accepted, kept beside them:             (quality/baseline.json)
#             quarry eval $SET --docs $DOCS --json > quality/baseline.json
#   GATE      the conditions                                         (see below)
#   OUT       where the reports go                                   (quality-report)
#   QUARRY    the command                                            (quarry)
set -eu

docs=${DOCS:-docs}
set=${SET:-quality/questions.jsonl}
baseline=${BASELINE:-quality/baseline.json}
gate=${GATE:-'recall@5>=0.8,all_sources@10>=0.75,answered_unanswerable<=0,worse<=2,outgrown<=0'}
out=${OUT:-quality-report}

mkdir -p "$out"
exec "${QUARRY:-quarry}" eval "$set" --docs "$docs" \
  --baseline "$baseline" --gate "$gate" \
  --junit "$out/junit.xml" --markdown "$out/summary.md" --html "$out/report.html"
