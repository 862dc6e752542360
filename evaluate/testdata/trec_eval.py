"""Writes trec_eval.json: random runs and judgements with what trec_eval makes of them.

    pip install pytrec-eval-terrier==0.5.* && python trec_eval.py > trec_eval.json

A run is a list of documents, best first, in which a document may repeat (as
it does when a run is a list of passages); trec_eval gets each document once, at
its first place.
"""
import json
import random

import pytrec_eval

NAMES = {"ndcg_cut_1": "ndcg@1", "ndcg_cut_3": "ndcg@3", "ndcg_cut_10": "ndcg@10", "ndcg_cut_100": "ndcg@100",
         "ndcg": "ndcg", "map": "map", "map_cut_5": "map@5", "recip_rank": "mrr",
         "recall_1": "recall@1", "recall_5": "recall@5", "recall_20": "recall@20", "recall_100": "recall@100",
         "P_1": "precision@1", "P_5": "precision@5", "P_20": "precision@20"}
MEASURES = {"ndcg", "map", "recip_rank", "ndcg_cut.1,3,10,100", "map_cut.5", "recall.1,5,20,100", "P.1,5,20"}

rng = random.Random(20240229)
cases = []
for n in range(80):
    pool = [f"d{i}" for i in range(rng.choice([3, 12, 60, 150]))]
    qrels = {d: rng.choice([-1, 0, 0, 1, 1, 2, 3, 4]) for d in rng.sample(pool, rng.randint(1, len(pool)))}
    if max(qrels.values()) < 1:
        qrels[rng.choice(list(qrels))] = 1
    if rng.random() < 0.3:
        qrels["never-found"] = rng.randint(1, 4)
    run = [rng.choice(pool) for _ in range(rng.randint(1, 2 * len(pool)))]
    first = list(dict.fromkeys(run))
    scores = {d: float(len(first) - i) for i, d in enumerate(first)}
    got = pytrec_eval.RelevanceEvaluator({"q": qrels}, MEASURES).evaluate({"q": scores})["q"]
    cases.append({"run": run, "qrels": qrels, "expected": {NAMES[k]: v for k, v in got.items() if k in NAMES}})

print("[")
print(",\n".join(json.dumps(c, separators=(",", ":")) for c in cases))
print("]")
