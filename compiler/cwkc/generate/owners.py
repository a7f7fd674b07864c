"""Whose fault a diagnostic is: the writer's, who wrote the task, or the verifier's, who wrote its grading."""

from __future__ import annotations

from enum import StrEnum


class Owner(StrEnum):
    """`COMPILER`: nobody who is asked can mend it. `MARKED`: whoever wrote the lines that it marks."""

    WRITER = "writer"
    VERIFIER = "verifier"
    COMPILER = "compiler"
    MARKED = "marked"


_CODES = {
    # Defects, and processes that were lost.
    Owner.COMPILER: "E008 E013 E439 E441",
    # What the agent is told and can learn, what there is and what happens.
    Owner.WRITER: "E236 E284 E410 E411 E412 E431 W280 W405 W407 W453",
    # What the points are given for: weights, consistency, checks and gates that ask for too little or too much.
    Owner.VERIFIER: (
        "E269 E401 E402 E403 E404 E405 E406 E407 E409 E430 E442 E443 E444"
        " W270 W285 W286 W402 W403 W404 W406 W408 W441 W444 W445"
    ),
    # What cannot be read, names, types, values, and rules that either may write.
    Owner.MARKED: (
        "E001 E002 E003 E004 E005 E006 E007"
        " E101 E102 E103 E104 E105 E106 E107 E108 E109 E110 E111 E112 E113 E114 E115 E116 E117 E118 E119"
        " E120 E121 E122 E123 E124 E130 E131 E132 E133 E134 E135 E136 E137 E138 E139"
        " E140 E141 E142 E143 E144 E145 E146 E147 E148 E149 E150 E151 E152"
        " E201 E202 E203 E204 E205 E206 E207 E208 E209 E210 E211 E212 E213 E214 E215 E216 E217 E218 E219"
        " E220 E221 E222 E224 E225 E226 E227 E228 E229 E230 E231 E232 E233 E234 E235 E237 E238 E239"
        " E241 E242 E244 E245 E246 E247 E250 E251 E252 E253 E254 E255 E256 E257 E258 E259"
        " E260 E261 E262 E263 E264 E265 E266 E267 E270 E272 E273 E274 E275 E276 E277 E278 E279"
        " E280 E281 E282 E283 E285 E286 E287 E288 E289 E290 E292 E293 E294 E295 E296 E297 E298"
        " E300 E301 E302 E303 E304 E305 E306 E307 E308 E309 E310 E311 E312 E408"
        " E601 E602 W401 W442 W443 W452 W601"
    ),
}

OWNERS = {code: owner for owner, codes in _CODES.items() for code in codes.split()}
"""By the code of a diagnostic."""
